"""Places on the network to search, each a few lines of data and one function, found by name."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
