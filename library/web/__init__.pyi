from .fetcher import Fetcher as Fetcher
from .http_request import StatusError as StatusError
from .location import LocalFile as LocalFile
from .location import WebAddress as WebAddress
from .location import located as located
from .page_cache import PageCache as PageCache
