from .findings import Research as Research
from .findings import first_actions as first_actions
from .moves.routing import routed_actions as routed_actions
