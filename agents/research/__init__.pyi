from .findings import Research as Research
from .findings import first_actions as first_actions
from .headed_limits import has_headings as has_headings
from .headed_limits import limits_searches as limits_searches
from .headed_limits import told_by_headings as told_by_headings
from .moves.routing import routed_actions as routed_actions
