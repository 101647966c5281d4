"""One request to a model's server: providers, transport, faults, retries, limits."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
