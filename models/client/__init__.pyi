from .limits import Shared as Shared
from .text_cache import TextCache as TextCache
from .text_cache import key_of as key_of
from .tls import trusted as trusted
