"""Who speaks next: the agenda, the policy, the watch over the talk, the moderator, and the AutoGen team."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
