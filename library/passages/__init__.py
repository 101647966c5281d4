"""How sources are cut into passages, and which passages and sentences are worth showing or quoting."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
