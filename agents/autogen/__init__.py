"""Agents of AutoGen as experts at our table: read from files that a person names, asked for answers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
