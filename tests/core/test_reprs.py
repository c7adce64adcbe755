"""What a terminal shows of a stranger's text: nothing of it acts there."""

from __future__ import annotations

import asyncio
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import skillbook as sb
from skillbook.errors import SkillbookError
from skillbook.scripts import ScriptResult
from trees import build

ODD = "x\x1b]0;y\x07\u202e\u200b\U000e0041z"
ACTS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u200b-\u200d\u2028-\u202e\u2060-\u2064\u2066-\u2069\U000e0000-\U000e007f]"
)
YAML = '"x\\e]0;y\\a\\u202e\\u200b\\U000e0041z"'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A kit whose names, descriptions and paths hold what acts on a terminal."""
    head = f"---\nname: {YAML}\ndescription: {YAML}\n---\nBody.\n"
    return build(
        tmp_path / "kit",
        {
            "skills/a/SKILL.md": head,
            "skills/b/SKILL.md": head,
            f"skills/{ODD}/SKILL.md": "---\ndescription: none\n---\n",
            f"skills/c{ODD}/SKILL.md": f"---\nname: c\ndescription: {ODD}: {ODD}\n---\n",
            f"skills/a/scripts/{ODD}.py": "print()\n",
            f"agents/{ODD}.md": f"---\nname: {YAML}\ndescription: D.\n---\nBe.\n",
            f"agents/e{ODD}.md": "---\nname: e\n---\n",
        },
    )


def catalog(root: Path) -> sb.Catalog:
    """A catalogue with a provider that fails, and one whose kit is there twice."""

    class Failing:
        provider_name = ODD

        def list_kits(self) -> list[sb.Kit]:
            raise ValueError(ODD)

    return sb.Catalog([sb.LocalProvider(root), sb.LocalProvider(root), Failing()])


def toolkit(root: Path) -> object:
    """A toolkit with an odd tool, and a failure that says something odd."""

    def provider() -> list[sb.SkillDef]:
        raise ValueError(ODD)

    schema = {"type": "object", "properties": {ODD: {"type": "string"}}, "required": [ODD]}
    tool = sb.Tool(ODD, ODD, schema, lambda _args, _ctx: sb.ToolResult(ODD), source=ODD)
    return asyncio.run(sb.create_toolkit(tools=[tool], skill_provider=provider))


MADE: dict[str, Callable[[Path], object]] = {
    "inventory": sb.list_skills,
    "source": sb.load_skills,
    "skill": lambda root: sb.load_skills(root)[ODD],
    "skip": lambda root: sb.list_skills(root).skipped,
    "data": lambda _: sb.SkillDef(ODD, ODD, description=ODD),
    "tool": lambda root: sb.load_skills(root).tool,
    "odd tool": lambda root: toolkit(root).tools[-1],  # type: ignore[attr-defined]
    "result": lambda root: sb.load_skills(root).tool(name=ODD),
    "error": lambda root: sb.load_skills(root).tool(name=f"q{ODD}"),
    "kit": lambda root: sb.LocalProvider(root).list_kits()[0],
    "agent": lambda root: sb.LocalProvider(root).list_kits()[0].agents,
    "provider": sb.LocalProvider,
    "memory": lambda root: sb.SourceProvider(sb.load_skills(root), name="s"),
    "catalog": catalog,
    "catalog's source": lambda root: catalog(root).source(),
    "sizes": lambda root: sb.token_sizes(sb.load_skills(root), len),
    "one's sizes": lambda root: sb.token_sizes(sb.load_skills(root), len)[ODD],
    "wrapper": lambda root: sb.skill_wrapper(root / "skills" / "a"),
    "pair": lambda root: sb.skill_wrapper(root / "skills" / "a")(),
    "scripts": lambda root: sb.skill_wrapper(root / "skills" / "a").scripts(),
    "script's result": lambda _: ScriptResult(f"{ODD}.py", 0, ODD, ODD),
    "toolkit": toolkit,
    "report": sb.check,
    "fix": lambda root: sb.fix(root / "skills" / f"c{ODD}"),
    "preview": lambda root: sb.preview((root / "skills/a/SKILL.md").read_text()),
}


@pytest.mark.parametrize("made", MADE)
def test_a_repr_acts_on_no_terminal(made: str, root: Path) -> None:
    """No repr, and no warning on the way to it, holds an escape or a mark of direction."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        said = repr(MADE[made](root))
    assert ACTS.findall(said) == []
    assert [each for each in caught if ACTS.search(str(each.message))] == []


@pytest.mark.parametrize(
    "ask",
    [
        lambda root: sb.load_skills(root)[f"q{ODD}"],
        lambda root: sb.LocalProvider(root).list_kits()[0].skill(f"q{ODD}"),
        lambda root: sb.LocalProvider(root).list_kits()[0].agent(f"q{ODD}"),
        lambda root: catalog(root).skill(f"q{ODD}"),
        lambda root: catalog(root).agent(f"q{ODD}"),
        lambda root: catalog(root).kit(f"q{ODD}"),
    ],
)
@pytest.mark.filterwarnings("ignore::skillbook.SkillWarning")
def test_an_error_acts_on_no_terminal(ask: Callable[[Path], object], root: Path) -> None:
    """The message for a name that is not there shows odd names as text."""
    with pytest.raises(SkillbookError) as error:
        ask(root)
    assert ACTS.findall(str(error.value)) == []
