"""What the editor says in HTML and words: its panes, a conflict, and the static twin.

Imports ``display`` and ``views``; no widget.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillbook.display import envelope, markdown, sourcetext, tables
from skillbook.display import lint as findings
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, element, join, note
from skillbook.lint.draft import Preview
from skillbook.lint.format import MOST_DESCRIPTION
from skillbook.model import printable
from skillbook.widgets.explorer import views

if TYPE_CHECKING:
    from skillbook.widgets.editor.skill_editor import SkillEditor

MOST_BODY = 10_000
"""Characters of a body that the twin holds; the widget shows more."""


def facts(editor: SkillEditor) -> list[str]:
    """Returns the short facts: saved or not, what was found, what it costs."""
    told = [state(editor), editor.report.summary.partition(" in ")[0]]
    preview = editor.preview
    if preview.skill is not None:
        level_1 = f"{preview.catalogue.tokens:,} tokens" if preview.entry else "none"
        told += [f"level 1: {level_1}", f"level 2: {preview.body.tokens:,} tokens"]
    return told


def state(editor: SkillEditor) -> str:
    """Returns whether all is saved, in words."""
    if editor.conflict is not None:
        return "changed on disk"
    unsaved = editor.unsaved
    if not unsaved:
        return "saved"
    if unsaved == ["SKILL.md"]:
        return "not saved"
    return f"not saved: {in_words.cut(', '.join(unsaved), 60)}"


def rendered(preview: Preview) -> Markup:
    """Returns the body as it reads."""
    if preview.skill is None:
        return note("There is no skill yet: see the errors.")
    body = preview.skill.content
    return markdown.render(body, preview.skill) if body.strip() else note("The body is empty.")


def model(preview: Preview) -> Markup:
    """Returns what the model gets: the catalogue line, the envelope, and what each costs."""
    skill, result = preview.skill, preview.result
    if skill is None or result is None:
        return note("Nothing: there is no skill yet.")
    costs = (element("li", row) for row in preview.summary[:2])
    return join((element("ul", *costs), views.first_level(skill), views.second_level(result)))


# --- the static twin ----------------------------------------------------------------------------


def _fields(editor: SkillEditor) -> Iterator[tuple[str, str]]:
    for name, value in editor.fields.items():
        if value or name in ("name", "description"):
            yield name, value or "(none)"


def words(editor: SkillEditor) -> str:
    """Returns what is shown, as text."""
    lines = [f"<SkillEditor of {editor.shown}: {', '.join(facts(editor))}>"]
    for name, value in _fields(editor):
        more = ""
        if name == "description" and editor.fields[name]:
            more = f" ({len(value):,} of {MOST_DESCRIPTION:,} characters)"
        lines.append(f"  {name}: {in_words.cut(' '.join(value.split()), 200)}{more}")
    if editor.file != "SKILL.md":
        lines.append(f"  shown: {editor.file}")
    files = [file.path for file in editor.files]
    if files:
        lines.append(f"  files: {in_words.cut(', '.join(files), 300)}")
    found = editor.report.findings
    lines += [f"  {finding}" for finding in found[:20]]
    if len(found) > 20:
        lines.append(f"  … and {len(found) - 20:,} more findings")
    return printable("\n".join(lines))


def card(editor: SkillEditor) -> Markup:
    """Returns what is shown, as HTML."""
    preview = editor.preview
    parts = [
        element("p", element("strong", editor.shown), cls="title"),
        tables.chips(facts(editor)),
        editor.asking.markup,
        tables.fields(_fields(editor)),
        findings.findings(editor.report),
        tables.folded("Text of SKILL.md", sourcetext.render(editor.skill_text)),
    ]
    if editor.file != "SKILL.md":
        summary = f"Text of {in_words.cut(editor.file, 200)}"
        parts.append(tables.folded(summary, sourcetext.render(editor.text)))
    if preview.skill is not None and preview.result is not None:
        body = markdown.render(preview.skill.content, most=MOST_BODY)
        parts.append(tables.folded("Rendered", body))
        costs = element("ul", *(element("li", row) for row in preview.summary[:2]))
        levels = (costs, views.first_level(preview.skill), envelope.render(preview.result))
        parts.append(tables.folded("What the model gets", *levels))
    if editor.files:
        rows = (element("code", file.path) for file in editor.files)
        listed = tables.listed(rows, len(editor.files), "files")
        parts.append(tables.folded(in_words.count(len(editor.files), "file"), listed))
    return join(parts)
