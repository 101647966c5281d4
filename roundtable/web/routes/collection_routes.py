"""What is asked about collections of documents: which there are, what is brought to one, who may see it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from roundtable.config.search_places import PYTHON
from roundtable.session.document_collections import check_collection_name
from roundtable.web.access.sharing_page import SharingPage
from roundtable.web.access.viewer import viewer_of
from roundtable.web.files.collections_page import CollectionsPage
from roundtable.web.routes.request_body import body_as, json_body
from roundtable.web.schemas import CollectionDescription, ShareRequest, SiteRequest


class CollectionRoutes:
    """All collections of one home folder."""

    def __init__(self, collections: CollectionsPage, sharing: SharingPage) -> None:
        self._collections = collections
        self._sharing = sharing

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of collections."""
        return [
            Route("/api/collections", self.collections),
            Route("/api/collections/{name}/site", self.read_site, methods=["POST"]),
            Route("/api/collections/{name}/refresh", self.refresh, methods=["POST"]),
            Route("/api/collections/{name}/description", self.describe, methods=["POST"]),
            Route("/api/collections/{name}/delete", self.remove, methods=["POST"]),
            Route("/api/collections/{name}/files/{path:path}", self.bring, methods=["POST"]),
            Route("/api/collections/{name}/sharing", self.shared_collection, methods=["GET"]),
            Route("/api/collections/{name}/sharing", self.share_collection, methods=["POST"]),
        ]

    async def collections(self, request: Request) -> Response:
        """The collections of documents that may be searched, and how far reading them is."""
        roles = viewer_of(request).roles("collection")
        rows = await asyncio.to_thread(self._collections.listed)
        if roles is not None:
            roles[PYTHON] = "reader"
            rows = [{**row, "role": roles[row["name"]]} for row in rows if row["name"] in roles]
        return JSONResponse(rows)

    @contextmanager
    def _brought(self, request: Request) -> Iterator[str]:
        """Give the name of a collection that is brought to; a new one belongs to whoever brings.

        Where nothing of a new one is kept, it is nobody's again: else its name would be taken for ever.
        """
        name, viewer = str(request.path_params["name"]), viewer_of(request)
        check_collection_name(name)
        is_new = viewer.own("collection", name)
        try:
            yield name
        except BaseException:
            if is_new and not self._collections.holds(name):
                viewer.forget("collection", name)
            raise
        viewer.own("collection", name)  # another file of the same folder may have failed meanwhile

    async def read_site(self, request: Request) -> Response:
        """Begin to read a site into a collection."""
        site = await body_as(request, SiteRequest)
        with self._brought(request) as name:
            self._collections.read_site(name, site.address, site.depth, site.pages, viewer_of(request).whose)
        return JSONResponse({"done": "begun"})

    async def refresh(self, request: Request) -> Response:
        """Begin to bring a collection up to date."""
        await json_body(request)
        with self._brought(request) as name:
            self._collections.refresh(name, whose=viewer_of(request).whose)
        return JSONResponse({"done": "begun"})

    async def describe(self, request: Request) -> Response:
        """What a collection holds, in a person's words."""
        words = (await body_as(request, CollectionDescription)).description
        await self._collections.describe(request.path_params["name"], words)
        return JSONResponse({"done": "described"})

    async def remove(self, request: Request) -> Response:
        """A collection that goes."""
        await json_body(request)
        name = request.path_params["name"]
        await self._collections.remove(name)
        viewer_of(request).forget("collection", name)
        return JSONResponse({"done": "removed"})

    async def bring(self, request: Request) -> Response:
        """A file for a collection."""
        with self._brought(request) as name:
            await self._collections.keep(name, request.path_params["path"], request.stream())
        return JSONResponse({"done": "kept"}, 201)

    async def shared_collection(self, request: Request) -> Response:
        """With whom a collection is shared."""
        return JSONResponse(self._sharing.told("collection", request.path_params["name"]))

    async def share_collection(self, request: Request) -> Response:
        """Share a collection with somebody, or with all."""
        wanted = await body_as(request, ShareRequest)
        return JSONResponse(self._sharing.change("collection", request.path_params["name"], wanted))
