from .fetcher import Fetcher as Fetcher
from .http_request import StatusError as StatusError
from .location import LocalFile as LocalFile
from .location import WebAddress as WebAddress
from .location import is_web_address as is_web_address
from .location import located as located
from .page_cache import PageCache as PageCache
from .page_renderer import PageRenderer as PageRenderer
