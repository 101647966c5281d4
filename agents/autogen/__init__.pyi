from .agent_model import AgentModel as AgentModel
from .component_file import ComponentError as ComponentError
from .component_file import read_agent as read_agent
