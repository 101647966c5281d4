"""Sites of the web as collections: one site, within bounds, kept page by page."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
