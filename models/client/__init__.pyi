from .http_semantics import address_host as address_host
from .http_semantics import is_loopback as is_loopback
from .http_semantics import retry_after as retry_after
from .limits import Shared as Shared
from .sqlite_cache import SqliteCache as SqliteCache
from .text_cache import TextCache as TextCache
from .text_cache import key_of as key_of
from .tls import trusted as trusted
