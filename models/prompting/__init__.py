"""From a task to a prompt, and from a reply to the task's output."""
