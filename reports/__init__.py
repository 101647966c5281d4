"""Reports: written from the map and the evidence, checked sentence by sentence, printed in many forms."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
