"""Skills from GitHub: references, the archive request, unpacking, the cache, and the provider.

``httpx``, ``tarfile``, ``tqdm`` and ``platformdirs`` are loaded when an import asks for them.
"""
