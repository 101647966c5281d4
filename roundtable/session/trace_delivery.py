"""Whether traces arrive: what a collector takes of the spans that it is sent, and why not the rest.

A collector that is not there, refuses, hangs, or is none (a page that answers everything) costs its traces
and nothing of the session; but whoever set an endpoint wants to know.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from models import mask_secrets

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

PATIENCE = 5
"""Seconds for one sending."""
_CREDENTIALS = (
    "OTEL_PYTHON_EXPORTER_OTLP_HTTP_TRACES_CREDENTIAL_PROVIDER",
    "OTEL_PYTHON_EXPORTER_OTLP_HTTP_CREDENTIAL_PROVIDER",
)
"""Where somebody names what connects instead: then only its faults are seen, not its answers."""
_PROTOBUF = "application/x-protobuf"


class Delivery:
    """Counts the spans that a collector took."""

    def __init__(self, endpoint: str) -> None:
        """Take the address of the collector."""
        place = urlsplit(endpoint.strip())
        self.host = f"{place.hostname}:{place.port}" if place.port else place.hostname or ""
        self.taken = 0
        self._answer = ""
        """Why the last sending was not taken, as its answer says; empty where it was, or none came."""
        self._rejected = 0
        self._refused = False
        self._why = ""

    def line(self, made: int) -> str:
        """Return what is told of so many spans; empty when all were taken."""
        if made <= self.taken:
            return ""
        why = self._why or "no answer"
        return f"traces: {made - self.taken} of {made} were not delivered to {self.host} ({why})"

    def sending(self) -> None:
        """Begin with one sending."""
        self._answer, self._rejected, self._refused = "", 0, False

    def answered(self, response: Any, *_more: Any, **_options: Any) -> None:
        """Take an answer (of `requests`) to it."""
        from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

        kind = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
        self._refused = response.status_code >= 300
        if self._refused:
            self._answer = f"status {response.status_code}"
        elif kind.startswith("text/"):
            self._answer = f"it answers with {kind}, as no collector does"
        elif kind == _PROTOBUF:
            try:
                partial = ExportTraceServiceResponse.FromString(response.content).partial_success
            except DecodeError:
                return
            self._rejected = partial.rejected_spans
            if partial.rejected_spans:  # it may repeat what it was sent
                self._why = mask_secrets(partial.error_message)[:100]

    def sent(self, spans: int, *, well: bool) -> None:
        """End with one sending of so many spans; `well`: as far as the exporter knows."""
        if well and not self._answer:
            self.taken += spans - self._rejected
        else:
            # What began well and did not end in time is no answer either.
            self._why = self._answer if well or self._refused else self._why


def exporter(delivery: Delivery, environment: Mapping[str, str] | None = None) -> "SpanExporter":
    """Return what sends spans, and tells how that went. It reads endpoint, headers, … by itself.

    Raises ImportError where the exporter is not installed.
    """
    import requests
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import SpanExportResult

    class Counted(OTLPSpanExporter):
        def export(self, spans: Any) -> SpanExportResult:
            delivery.sending()
            result = super().export(spans)
            delivery.sent(len(spans), well=result is SpanExportResult.SUCCESS)
            return result

    around = os.environ if environment is None else environment
    if any(around.get(name) for name in _CREDENTIALS):
        return Counted(timeout=PATIENCE)
    session = requests.Session()
    session.hooks["response"].append(delivery.answered)
    return Counted(timeout=PATIENCE, session=session)
