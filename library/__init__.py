"""What is read: evidence and its citations, the store, search, fetching and reading, statistics of text."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
