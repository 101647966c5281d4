# The page and the command in a container: docker build -t roundtable . ; compose.yaml adds a search engine.
FROM python:3.12-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/roundtable \
    && /opt/roundtable/bin/pip install --no-cache-dir '.[anthropic,compute,export,mcp,oidc,ollama,otel,postgres,queue]'

FROM python:3.12-slim-bookworm
RUN useradd --create-home --uid 1000 roundtable \
    && mkdir /data /work \
    && chown roundtable:roundtable /data /work
COPY --from=build /opt/roundtable /opt/roundtable
ENV PATH=/opt/roundtable/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    ROUNDTABLE_HOME=/data
USER 1000
WORKDIR /work
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import socket; socket.create_connection(('127.0.0.1', 8420), 3).close()"]
# Whoever can connect needs the token in ROUNDTABLE_TOKEN: without one it does not listen on a network.
ENTRYPOINT ["roundtable"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8420"]
