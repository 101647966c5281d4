"""What has been said: a map of notes and passages that is a tree at all times."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
