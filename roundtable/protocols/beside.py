"""What `roundtable serve` offers other programs beside the page, behind the same guard."""

from collections.abc import Sequence
from importlib.util import find_spec

from roundtable.protocols.chat_completions import ChatCompletions
from roundtable.web.app import Mounted
from roundtable.web.hosting.session_thread import SessionThread


def has_mcp() -> bool:
    """Tell whether the Model Context Protocol can be spoken: the extra `roundtable[mcp]` is installed."""
    return find_spec("mcp") is not None


def beside_the_page(sessions: SessionThread, *, any_documents: bool) -> Sequence[Mounted]:
    """Return what can be served here.

    Args:
        sessions: The server's.
        any_documents: Any folder may be searched, not only named collections.
    """
    mounted: list[Mounted] = [ChatCompletions(sessions, any_documents=any_documents)]
    if has_mcp():
        from roundtable.protocols.mcp_server import McpOverHttp

        mounted.append(McpOverHttp(sessions, any_documents=any_documents))
    return mounted
