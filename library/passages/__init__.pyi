from .excerpting import excerpts as excerpts
from .quote_filter import HIDDEN as HIDDEN
from .quote_filter import QuoteVerdict as QuoteVerdict
from .quote_filter import leans as leans
from .quote_filter import quotable as quotable
from .quote_filter import word_count as word_count
