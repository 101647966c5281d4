"""Computing with figures, in an interpreter or a container that can do no harm."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
