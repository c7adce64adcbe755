"""What sizes must hold: each level counted, the same on every machine, and nothing lost."""

from __future__ import annotations

import json
import os
import sys

import pytest
import tqdm.auto

from skillbook import sizes
from skillbook.errors import MissingDependency
from skillbook.model import SkillDef
from skillbook.sizes import Size, entry, file_text, token_sizes
from skillbook.source import list_skills, load_skills
from skillbook.tokens import count_tokens
from trees import build, skill

FILES = {
    "pdf/SKILL.md": skill("pdf", "Fills in forms.", "# PDF\n\nRead the forms.\n"),
    "pdf/references/forms.md": "# Forms\n\nFour fields.\n",
    "pdf/scripts/fill.py": "print('filled')\n",
    "quiet/SKILL.md": "---\nname: quiet\n---\nSay nothing.\n",
}


@pytest.fixture
def source(tmp_path):
    """A source of two skills: one with files, one without a description."""
    build(tmp_path / "skills", FILES)
    return load_skills(tmp_path / "skills")


def letters(text: str) -> int:
    return len(text)


def test_each_level_is_counted(source):
    """Level 1 is the catalogue's line, level 2 the envelope, level 3 the files' text."""
    found = token_sizes(source, root=None)["pdf"]
    line = "- **pdf**: Fills in forms."
    envelope = source.tool(name="pdf").output
    forms, script = FILES["pdf/references/forms.md"], FILES["pdf/scripts/fill.py"]
    assert found.counter == "cl100k_base"
    assert found.catalogue == Size(len(line), count_tokens(line))
    assert found.body == Size(len(envelope), count_tokens(envelope))
    assert [(file.path, file.bytes, file.size) for file in found.each_file] == [
        ("references/forms.md", len(forms), Size(len(forms), count_tokens(forms))),
        ("scripts/fill.py", len(script), Size(len(script), count_tokens(script))),
    ]
    assert found.files == Size(len(forms) + len(script), count_tokens(forms) + count_tokens(script))
    assert found.problems == ()


def test_totals_are_the_sums(source):
    """A set's levels are the sums over its skills, and a source also has its whole prompt."""
    found = token_sizes(source)
    assert [each.name for each in found] == ["pdf", "quiet"]
    assert found.body == found["pdf"].body + found["quiet"].body
    assert found.files == found["pdf"].files
    assert found.prompt == Size(len(source.prompt()), count_tokens(source.prompt()))
    assert found.catalogue.tokens < found.prompt.tokens


def test_undescribed_skill_costs_no_catalogue(source):
    """A skill without a description is not in the catalogue, so level 1 is nothing."""
    assert token_sizes(source)["quiet"].catalogue == Size()
    assert entry(source["quiet"]) == ""


def test_skill_and_inventory_are_counted_too(source, tmp_path):
    """A skill, an inventory and a source give the same sizes; only a source has a prompt."""
    inventory = list_skills(tmp_path / "skills")
    assert token_sizes(inventory).skills == token_sizes(source).skills
    assert token_sizes(source["pdf"]).skills == token_sizes(source).skills[:1]
    assert token_sizes(inventory).prompt is None


def test_sample_limit_of_the_source_counts(source):
    """The body is counted as the source's tool gives it: without files when they are left out."""
    without = token_sizes(source.with_sample_limit(-1))["pdf"].body
    assert without.chars < token_sizes(source)["pdf"].body.chars


def test_sizes_are_the_same_on_every_machine(tmp_path):
    """Where a root lies changes no size, unless the exact text is asked for."""
    found = []
    exact = []
    for place in ("short", "a much longer folder, with ünusual letters/deep"):
        build(tmp_path / place, FILES)
        found.append(token_sizes(load_skills(tmp_path / place)).to_dict())
        exact.append(token_sizes(load_skills(tmp_path / place), root=None).to_dict())
    assert found[0] == found[1]
    assert exact[0] != exact[1]


def test_data_skill_names_its_files(tmp_path):
    """A data skill's resources are named as not counted, and its body is counted as it is."""
    source = load_skills(skills=[SkillDef("faq", "Answer.", "Answers.", ("a.md",))])
    found = token_sizes(source)["faq"]
    assert found.body.tokens == count_tokens(source.tool(name="faq").output)
    assert found.problems == (
        "a.md: not counted: a data skill names its files and does not hold them",
    )


def test_what_is_no_text_is_named(tmp_path):
    """Binary files, files that are not UTF-8 and huge ones are named with their size."""
    files = {
        "a/SKILL.md": skill("a"),
        "a/latin.txt": "caf\xe9".encode("latin-1"),
        "a/logo.png": b"\x89PNG\r\n\x1a\n\0\0",
        "a/marked.txt": b"\xef\xbb\xbfok",
        "a/nul.txt": b"a\0b",
    }
    build(tmp_path, files)
    found = token_sizes(load_skills(tmp_path), letters)["a"]
    assert {file.path: (file.bytes, file.size) for file in found.each_file} == {
        "latin.txt": (4, None),
        "logo.png": (10, None),
        "marked.txt": (5, Size(2, 2)),
        "nul.txt": (3, None),
    }
    assert found.problems == (
        "latin.txt: not counted: not text (4 bytes)",
        "logo.png: not counted: not text (10 bytes)",
        "nul.txt: not counted: not text (3 bytes)",
    )


def test_huge_file_is_named_and_not_read_on(tmp_path, monkeypatch):
    """A file over the limit is named with its size; only the limit is read."""
    monkeypatch.setattr(sizes, "MOST_BYTES", 10)
    build(tmp_path, {"a/SKILL.md": skill("a"), "a/big.txt": "x" * 1000})
    found = token_sizes(load_skills(tmp_path), letters)["a"]
    assert [(file.bytes, file.size) for file in found.each_file] == [(1000, None)]
    assert found.problems == ("big.txt: not counted: 1,000 bytes, over 0 MB",)


def test_what_cannot_be_read_is_named(source, tmp_path):
    """A skill that went since and a file that went are problems, and the rest is counted."""
    (tmp_path / "skills/quiet/SKILL.md").unlink()
    found = token_sizes(source)
    assert found["quiet"].body == Size()
    assert len(found.problems) == 1
    assert "quiet: the SKILL.md of skill 'quiet' cannot be read" in found.problems[0]
    assert found["pdf"].files.tokens > 0
    assert file_text(source["pdf"], "gone.txt") == (
        None,
        None,
        "not counted: it cannot be read (it does not exist)",
    )


def test_folder_that_went_is_one_problem(source, tmp_path):
    """A skill whose folder went gives no sizes and says so without an exception."""
    for path in ("references/forms.md", "scripts/fill.py", "references", "scripts", "SKILL.md", ""):
        target = tmp_path / "skills/pdf" / path
        target.rmdir() if target.is_dir() else target.unlink()
    found = token_sizes(source)["pdf"]
    assert (found.body, found.each_file) == (Size(), ())
    assert found.problems


def test_file_outside_is_told(tmp_path):
    """A link that leads out of the root is not counted, and its number is told."""
    (tmp_path / "secret.txt").write_text("secret")
    build(
        tmp_path / "skills", {"a/SKILL.md": skill("a"), "a/link.txt": {"link": "../../secret.txt"}}
    )
    found = token_sizes(load_skills(tmp_path / "skills"), letters)["a"]
    assert found.each_file == ()
    assert found.problems == ("1 more files or folders lie outside the skill and its root",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_named_pipe_is_not_opened(tmp_path):
    """A pipe beside a SKILL.md is neither a file nor opened."""
    build(tmp_path, {"a/SKILL.md": skill("a"), "a/b.txt": "b"})
    os.mkfifo(tmp_path / "a/pipe.txt")
    found = token_sizes(load_skills(tmp_path), letters)["a"]
    assert [file.path for file in found.each_file] == ["b.txt"]


@pytest.mark.parametrize("what", ["skills", None, ["a"], SkillDef("a", "b")])
def test_only_skills_have_sizes(what):
    """Anything else is a TypeError that says what to pass."""
    with pytest.raises(TypeError, match=f"not {type(what).__name__}; load_skills"):
        token_sizes(what)


def test_sizes_are_json(source):
    """to_dict holds only what JSON has, with the counter's name."""
    told = json.loads(json.dumps(token_sizes(source).to_dict()))
    assert told["counter"] == "cl100k_base"
    assert [each["name"] for each in told["skills"]] == ["pdf", "quiet"]
    assert told["skills"][0]["each_file"][1]["path"] == "scripts/fill.py"


def test_sizes_as_a_table(source):
    """to_pandas has one row a skill, each with the counter's name."""
    table = token_sizes(source, letters).to_pandas()
    assert list(table["name"]) == ["pdf", "quiet"]
    assert list(table["catalogue_tokens"]) == [26, 0]
    assert list(table["file_count"]) == [2, 0]
    assert set(table["counter"]) == {"letters"}


def test_table_without_pandas_says_what_to_install(source, monkeypatch):
    """Without pandas, to_pandas says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependency, match="pip install pandas"):
        token_sizes(source, letters).to_pandas()


def test_repr_names_the_counter(source):
    """The repr tells the levels and their counter."""
    found = token_sizes(source, letters)
    assert repr(found) == (
        f"<TokenSizes of 2 skills in tokens by letters: catalogue 26, bodies {found.body.tokens},"
        " files 38>"
    )


def test_unknown_name_is_a_key_error(source):
    """Sizes of a skill that was not counted are a KeyError with its name."""
    with pytest.raises(KeyError, match="nope"):
        token_sizes(source, letters)["nope"]


def test_progress_waits_two_seconds(source, monkeypatch, capsys):
    """A progress bar is made for several skills only, shows after two seconds, and leaves none."""
    made = []

    def bar(items, **options):
        made.append(options)
        return items

    monkeypatch.setattr(tqdm.auto, "tqdm", bar)
    token_sizes(source, letters)
    token_sizes(source["pdf"], letters)
    assert [(each["delay"], each["leave"]) for each in made] == [(2, False)]
    monkeypatch.undo()
    token_sizes(source, letters)
    assert capsys.readouterr() == ("", "")


def test_interrupt_does_no_harm(source):
    """An interrupt stops the counting, and counting again gives the right sizes."""
    stop = [True]

    def count(text):
        if stop and text.startswith("# Forms"):
            stop.clear()
            raise KeyboardInterrupt
        return len(text)

    with pytest.raises(KeyboardInterrupt):
        token_sizes(source, count)
    assert token_sizes(source, count)["pdf"].files.tokens == 38
