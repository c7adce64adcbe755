"""Kits: bundles of skills and agents, the providers that give them, and the catalogue over all.

The public names stand in ``skillbook`` itself. Nothing here loads a network library or the
archive code before an import from GitHub asks for it, and nothing here imports what shows.
"""
