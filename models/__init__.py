"""How a model is asked: tasks, the language model, the extractive one, and a script."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
