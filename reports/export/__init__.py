"""Reports in the forms that readers need; one module a form, heavy ones are the extra `[export]`."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
