"""The checker of skills: findings, rules, fixes.

``check`` and ``fix`` are the two doors; a rule is a function that is registered by ``rule``. Nothing
here imports displays, widgets, magics or the command line.
"""
