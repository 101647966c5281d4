from .crawl_settings import CrawlSettings as CrawlSettings
from .site_collection import reopened as reopened
from .site_collection import sync_site as sync_site
from .site_rows import Site as Site
from .site_rows import is_site as is_site
from .site_rows import kept_site as kept_site
