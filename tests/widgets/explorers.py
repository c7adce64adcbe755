"""What explorers are tried on: a folder, very many skills, and the messages they send."""

from __future__ import annotations

import json
from typing import Any

from skillbook.model import SkillDef
from skillbook.source import SkillSource, load_skills
from trees import skill


class Messages(list[tuple[str, Any]]):
    """The messages to the front end, as kind and data."""

    @property
    def size(self) -> int:
        """Their size in bytes, as JSON."""
        return sum(len(json.dumps(data)) for _, data in self)


TREE: dict[str, Any] = {
    "tide/SKILL.md": skill(
        "tide",
        "Works out the height of the tide.",
        "# Tide\n\nSee [datums](references/datums.md), [gone](references/gone.md) and `scripts/run.py`.\n",
    ),
    "tide/references/datums.md": "# Datums\n\nChart datum.\n",
    "tide/scripts/run.py": "print('high water')\n",
    "tide/data.bin": b"\0\1\2" * 100,
    "hive/SKILL.md": skill(
        "hive", "Inspects a hive of bees.", "Look at the brood. Mind the tide of honey.\n"
    ),
    "choir/SKILL.md": "---\nname: choir\n---\nSing.\n",
    "broken/SKILL.md": "---\nname: [a, b\ndescription: x\n---\nBody of the broken one.\n",
}


def many(number: int) -> SkillSource:
    """Returns a source of data skills, numbered from 0."""
    words = [
        "tide",
        "hive",
        "choir",
        "museum",
        "invoice",
        "river",
        "stone",
        "kiln",
        "chart",
        "audit",
    ]
    return load_skills(
        skills=[
            SkillDef(
                f"skill-{n:05}",
                f"# Skill {n}\n\nDo it with care.\n",
                f"Use when {' '.join(words[(n + k) % 10] for k in range(30))} number {n}.",
            )
            for n in range(number)
        ]
    )
