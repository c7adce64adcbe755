"""What other loaders do with odd input: thirteen that were tried, each with 24 inputs.

The facts were gathered in November 2026 by running each loader; loaders move, so a message names
the month. Imports nothing of ours.
"""

from __future__ import annotations

READ = "November 2026"

VERSIONS = {
    "toolnexus": "0.21.0",
    "skillkit": "0.4.0",
    "skills-ref": "0.1.1",
    "pydantic-ai-harness": "0.62.0",
    "agentskills-core": "0.7.0",
    "openskills-sdk": "0.0.8",
    "deepagents": "0.7.32",
    "fastmcp": "4.2.3",
    "agent-framework-core": "1.23.0",
    "google-adk": "2.13.0",
    "strands-agents": "1.62.0",
    "haystack-ai": "3.4.1",
    "agno": "3.1.10",
}
"""The loaders that were tried, by package and version."""

# Input: the loaders that drop the skill; after a bar those that raise and load no skill at all.
_REFUSED = {
    "colon": "skillkit skills-ref pydantic-ai-harness openskills-sdk deepagents"
    " agent-framework-core google-adk | agentskills-core haystack-ai agno",
    "byte-order-mark": "toolnexus skills-ref pydantic-ai-harness openskills-sdk deepagents"
    " google-adk strands-agents | agentskills-core haystack-ai agno",
    "tools-list": "skills-ref agent-framework-core google-adk |",
    "extra-fields": "skills-ref openskills-sdk | agentskills-core agno",
    "accents": "agent-framework-core google-adk | agentskills-core",
    "number-name": "skillkit openskills-sdk google-adk strands-agents | agentskills-core agno",
}


def refused(what: str) -> str:
    """Returns who refuses an input, in words: ``a and b drop the skill; c then loads none at all``.

    Args:
        what: one of ``colon``, ``byte-order-mark``, ``tools-list``, ``extra-fields``, ``accents``
            and ``number-name``.
    """
    drop, stop = (part.split() for part in _REFUSED[what].split("|"))
    words = f"{len(drop) + len(stop)} of {len(VERSIONS)} loaders tried in {READ} refuse it: "
    words += f"{_listed(drop)} {'drops' if len(drop) == 1 else 'drop'} the skill"
    if stop:
        words += f"; {_listed(stop)} then {'loads' if len(stop) == 1 else 'load'} no skill at all"
    return words


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
