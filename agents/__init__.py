"""Who speaks: speakers, experts, their research, their memory, the panel, and the AutoGen seat."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
