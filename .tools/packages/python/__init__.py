"""Client of the Recruiting Marketplace External API."""
from .errors import APIError
from .marketplace import Client

__all__ = ["APIError", "Client"]
