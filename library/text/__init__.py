"""Text as words, sentences, figures and vectors: the one analysis that everything else shares."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
