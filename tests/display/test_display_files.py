"""The tree of a skill's files, the preview of one, and the text with line numbers."""

from __future__ import annotations

from contract import HOSTILE, MemoryReader, keeps, made
from hypothesis import given
from hypothesis import strategies as st

from skillbook.display import facts, files, siblings, sourcetext


def test_tree_has_sizes_and_folders_first() -> None:
    """Files stand below their folders, folders first, each with its size."""
    found = facts.FileList(
        ("b.md", "scripts/x/a.py", "scripts/c.sh"), {"b.md": 1, "scripts/c.sh": 12_345}
    )
    assert files.tree(found) == (
        '<div class="skillbook-tree"><ul><li><code>scripts/</code><ul><li><code>x/</code>'
        "<ul><li><code>a.py</code></li></ul></li>"
        '<li><code>c.sh</code> <span class="skillbook-note">12.3 kB</span></li></ul></li>'
        '<li><code>b.md</code> <span class="skillbook-note">1 byte</span></li></ul></div>'
    )


def test_long_trees_are_cut() -> None:
    """Very many files are shown in part, with their number."""
    shown = keeps(files.tree(facts.FileList(tuple(f"{n:06}" for n in range(100_000)))))
    assert shown.tags.count("li") == facts.MOST_FILES
    assert shown.text.endswith("200 of 100,000 files shown.")


def test_deep_trees_end() -> None:
    """A path of 2,000 folders is shown whole, and its depth is bounded."""
    path = "a/" * 2_000 + "x"
    shown = keeps(files.tree(facts.FileList((path,))))
    assert shown.tags.count("ul") == 9
    assert shown.text == path


def test_tree_says_what_it_leaves_out() -> None:
    """No files, files that are left out, and a folder that cannot be read are all said."""
    assert keeps(files.tree(facts.FileList())).text == "No files besides the SKILL.md."
    found = facts.FileList(("a",), {}, ("1 file not listed: outside.",))
    assert keeps(files.tree(found)).text == "a1 file not listed: outside."
    assert keeps(files.tree(facts.FileList(problem="gone"))).text == "Problem: gone"


def test_preview_of_markdown() -> None:
    """Front matter stands apart from a Markdown file's body: it makes no heading."""
    shown = keeps(
        files.preview(siblings.FileFacts("a.md", "text", 20, "---\nname: x\n---\n# Real\n"))
    )
    assert shown.within("h1") == ["Real"]
    assert "name: x\n" in "".join(shown.within("pre"))


def test_preview_of_an_unclosed_block() -> None:
    """A Markdown file whose front matter never closes is shown whole."""
    shown = keeps(files.preview(siblings.FileFacts("a.md", "text", 9, "---\nname: x\n\ntext\n")))
    assert "name: x" in shown.text
    assert "text" in shown.text


def test_preview_of_other_kinds() -> None:
    """Code is coloured; a picture is shown; what is binary, empty or unreadable is said."""
    code = keeps(files.preview(siblings.FileFacts("a.py", "text", 4, "if x")))
    assert "skillbook-k" in code.values("class")
    picture = siblings.FileFacts("a.png", "picture", 3, picture="data:image/png;base64,AAAA")
    assert keeps(files.preview(picture)).values("src") == ["data:image/png;base64,AAAA"]
    assert (
        keeps(files.preview(siblings.FileFacts("a", "binary", 1_234))).text
        == "a, 1.2 kBBinary, 1,234 bytes."
    )
    assert keeps(files.preview(siblings.FileFacts("a.md", "text"))).text == "a.md, 0 bytesEmpty."
    gone = siblings.FileFacts("a", "none", notes=("Cannot be read: it does not exist.",))
    assert keeps(files.preview(gone)).text == "aCannot be read: it does not exist."


def test_lines_are_numbered() -> None:
    """Each line has its number, the front matter is marked, and its YAML is coloured."""
    shown = keeps(sourcetext.render("---\nname: x\n---\n# A\n"))
    assert shown.text == "1 ---\n2 name: x\n3 ---\n4 # A"
    assert shown.values("class").count("skillbook-line skillbook-front") == 3
    assert shown.values("class").count("skillbook-line") == 1
    assert "skillbook-k" in shown.values("class")


def test_fault_is_marked_in_words() -> None:
    """The line that is at fault carries a mark that is text."""
    assert keeps(sourcetext.render("a\nb\n", fault=2)).text == "1 a\n2 b  ← here"


def test_long_texts_are_cut() -> None:
    """A long file is shown in part, with its number of lines."""
    shown = keeps(sourcetext.render("x\n" * 10_000))
    assert shown.text.endswith("2000 xCut: 2,000 of 10,000 lines shown.")
    assert keeps(sourcetext.render("x" * 300_000)).text.endswith(
        "Cut: 1 of 1 lines shown, the last in part."
    )


def test_counting_is_bounded() -> None:
    """What a skill's reader gives is counted; a data skill has its resources."""
    assert facts.count_files(made(reader=MemoryReader(paths=("a", "b")))) == "2"


@given(st.text() | st.lists(st.sampled_from(HOSTILE)).map("\n".join), st.integers(0, 5))
def test_hostile_sources_keep_the_contract(text: str, fault: int) -> None:
    """Whatever a file holds is text."""
    keeps(sourcetext.render(text, fault=fault))
    keeps(
        files.preview(
            siblings.file_facts("a.md", text.encode("utf-8", "replace"), len(text)), made()
        )
    )
    keeps(files.preview(siblings.FileFacts(text, "text", 1, text)))
    keeps(files.tree(facts.FileList((text, f"a/{text}"), problem="")))
