"""An answer read against its sources: its claims, what they cite, and what each citation is worth."""
