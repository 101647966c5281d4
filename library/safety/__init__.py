"""What is kept from harm: orders hidden in sources, and private words in queries."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
