from .excerpting import WHOLE as WHOLE
from .excerpting import excerpts as excerpts
from .excerpting import whole_or_around as whole_or_around
from .quote_filter import HIDDEN as HIDDEN
from .quote_filter import QuoteVerdict as QuoteVerdict
from .quote_filter import leans as leans
from .quote_filter import quotable as quotable
from .quote_filter import word_count as word_count
