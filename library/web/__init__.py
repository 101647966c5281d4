"""Asking the network: which urls, over which connections, how often, and how much is taken."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
