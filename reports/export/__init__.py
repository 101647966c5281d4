"""Reports in the forms that readers need; each module is one form, and heavy ones are the extra `[export]`."""
