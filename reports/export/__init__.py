"""Reports in the forms that readers need; one module a form, heavy ones are the extra `[export]`."""
