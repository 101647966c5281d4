from .prompt_injection import spoken_to_machines as spoken_to_machines
from .prompt_injection import without_orders as without_orders
from .query_privacy import PrivacySettings as PrivacySettings
from .query_privacy import PublicWords as PublicWords
