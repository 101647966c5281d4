"""Collections that another engine indexes: candidates by its means, answers by our own method."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
