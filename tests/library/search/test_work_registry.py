"""Whether a work exists, asked of catalogues of which some are away or answer oddly."""

import json
from typing import Any

import pytest

from library import SearchError
from library.search.search_settings import SearchSettings
from library.search.work_registry import WorkRegistry
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher

pytestmark = pytest.mark.loopback
DOI = "10.1000/x"


@pytest.fixture
async def asked(website: Any, tmp_path):
    addresses = {name: f"{website.url}/{name}" for name in ("crossref", "openalex", "doi")}
    settings = FetchSettings(allow=(website.host,), robots=False, pause=0, cache=False)
    fetcher = Fetcher(settings, cache_folder=tmp_path)
    yield WorkRegistry(fetcher, SearchSettings(addresses=addresses))
    await fetcher.close()


def answers(website: Any, path: str, said: Any, status: int = 200) -> None:
    website.add(path, json.dumps(said), status, **{"Content-Type": "application/json"})


@pytest.mark.parametrize(
    "crossref", [{"message": None}, {"message": []}, {"message": {"DOI": DOI, "abstract": 5}}, 403]
)
async def test_a_doi_is_none_only_where_doi_org_says_so(crossref, asked, website):
    status = crossref if isinstance(crossref, int) else 200
    answers(website, f"/crossref/works/{DOI}", crossref, status)
    answers(website, f"/doi/api/handles/{DOI}", {}, 403)
    with pytest.raises(SearchError, match=r"refuses to answer \(403\)"):
        await asked.by_doi(DOI)
    answers(website, f"/doi/api/handles/{DOI}", {"responseCode": 1})
    found = await asked.by_doi(DOI)
    assert found is not None
    assert (found.told_by, found.work.doi) == ("doi.org", DOI)
    answers(website, f"/doi/api/handles/{DOI}", {"responseCode": 100}, 404)
    assert await asked.by_doi(DOI) is None
    answers(website, f"/doi/api/handles/{DOI}", {"responseCode": 2})
    with pytest.raises(SearchError, match="something else than whether there is such a DOI"):
        await asked.by_doi(DOI)


@pytest.mark.parametrize(
    "message", [None, [], {"items": None}, {"items": [{"DOI": DOI, "abstract": 5}]}, {"items": [7]}]
)
async def test_an_odd_answer_to_a_reference_is_told(message, asked, website):
    answers(website, "/crossref/works", {"message": message})
    with pytest.raises(SearchError, match="crossref answered something else"):
        await asked.by_reference("Hale A. Dikes. 2019.")
