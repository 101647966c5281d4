from .backend_registry import OURS as OURS
from .backend_registry import backend as backend
from .backend_registry import names as names
