"""How people come in: by a link of their own, or by an issuer of OpenID Connect that vouches for them."""
