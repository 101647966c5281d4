"""The page: sessions run and watched in a browser, over a server that is safe to leave running."""
