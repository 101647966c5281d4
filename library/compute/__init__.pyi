from .docker import docker_sandbox as docker_sandbox
from .monty import ComputeError as ComputeError
from .monty import MontySandbox as MontySandbox
from .monty import Sandbox as Sandbox
from .monty import available as available
from .monty import source_of as source_of
