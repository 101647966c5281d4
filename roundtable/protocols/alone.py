"""`python -m roundtable.protocols.alone ID`: go on with a session to its end, with nobody watching."""

import sys

from roundtable.session.factory import resume_session
from roundtable.session.steady_loop import run_steadily


async def go_on(identity: str) -> None:
    """Run a session to its end; what goes wrong is in its journal, and it can be resumed."""
    session = await resume_session(identity)
    try:
        async for _ in session.run():
            pass
    finally:
        await session.close()


if __name__ == "__main__":
    run_steadily(go_on(sys.argv[1]))
