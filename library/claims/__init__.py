"""What a text claims, for whom and when; which claims disagree, and how fresh they are."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
