from .fetcher import Fetcher as Fetcher
from .http_request import StatusError as StatusError
