"""What the process holds from which those are forked that are to be killed."""

import tests.faults.processes.mortal  # noqa: F401 - had before they begin
from tests.warm_session import warm

warm()
