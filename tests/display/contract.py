"""The contract that every display keeps, held by a parser of its own.

The lists stand here once more on purpose: a change of what a display may hold must be made twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from skillbook.model import Body, Files, Root, SkillInfo

TAGS = {
    "a": {"href", "rel", "target"},
    "blockquote": set(),
    "br": set(),
    "code": set(),
    "details": {"open"},
    "div": set(),
    "em": set(),
    "h1": set(),
    "h2": set(),
    "h3": set(),
    "h4": set(),
    "h5": set(),
    "h6": set(),
    "hr": set(),
    "img": {"src", "alt"},
    "li": set(),
    "meter": {"value", "min", "max"},
    "ol": {"start"},
    "p": set(),
    "pre": set(),
    "s": set(),
    "span": set(),
    "strong": set(),
    "summary": set(),
    "table": set(),
    "tbody": set(),
    "td": {"style"},
    "th": {"style", "scope"},
    "thead": set(),
    "tr": set(),
    "ul": set(),
}
VOID = {"br", "hr", "img"}
FOREIGN = {"mathjax_ignore", "tex2jax_ignore", "jp-toc-ignore"}
STYLES = {"text-align:left", "text-align:center", "text-align:right"}
MATHS = re.compile(r"\$|\\\(|\\\[|\\begin|\\ref|\\eqref")
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff]"
)

# What hostile text is made of.
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(2)>",
    '"><iframe srcdoc="x">',
    "</pre></code></td></table></div></style><b>",
    "' onmouseover='x",
    "javascript:alert(1)",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>1</script>)",
    "<javascript:alert(1)>",
    "![x](https://track.example/p.png)",
    "![x](//track.example/p.png)",
    "![x](\\\\track.example\\p.png)",
    "![x](file:///etc/passwd)",
    "![x](/etc/passwd)",
    '[x](https://good.example/?a="><script>)',
    '<button data-commandlinker-command="x" class="jp-Button">',
    '<p style="position:fixed;top:0" id="x" class="jp-mod-cover">',
    "<style>body{display:none}</style>",
    "$x$ $$y$$ \\(z\\) \\[w\\] \\begin{a}b\\end{a} \\ref{q}",
    "&lt;b&gt; &amp;amp; &#36;",
    "```html\n<script>\n```",
    '```"><script>\nx\n```',
    "| a | b |\n|---|---|\n| <b> | $ |",
    "# <h1 id=x>",
    "\x00\x07\x1b[31m\x7f\x85\u202e\u2066\U000e0041",
    "\ud83d",
    "> " * 50,
    "- " * 50,
    "[a]: javascript:x\n\n[a]",
    "<!-- -->",
    "{root} /tmp/x",
    "\n---\n",
    "a\r\nb\rc",
]


@dataclass
class Shown:
    """What a parser finds in a display."""

    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    texts: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    style: str = ""

    @property
    def text(self) -> str:
        """All the text, in order."""
        return "".join(text for _, text in self.texts)

    def within(self, tag: str) -> list[str]:
        """The texts that stand inside a tag."""
        return [text for above, text in self.texts if tag in above]

    def values(self, name: str) -> list[str]:
        """The values of an attribute, in order."""
        return [value for _, attribute, value in self.attributes if attribute == name]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.shown = Shown()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.shown.tags.append(tag)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> says an attribute twice: {attrs}"
        self.shown.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/> is no HTML")

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open == ["style"]:
            self.shown.style += data
        else:
            self.shown.texts.append((tuple(self.open), data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")


def parse(html: str) -> Shown:
    """Returns what stands in HTML whose tags are all closed, in order."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.shown


def keeps(html: str) -> Shown:
    """Holds markup to the contract and returns what stands in it."""
    html.encode()
    shown = parse(html)
    for tag in shown.tags:
        assert tag in TAGS, f"<{tag}> is not on the list"
    for tag, name, value in shown.attributes:
        if name == "class":
            for word in value.split():
                assert word in FOREIGN or re.fullmatch(r"skillbook(-[a-z0-9]+)*", word), word
            continue
        assert name in TAGS[tag], f"<{tag} {name}> is not on the list"
        if name == "href":
            assert re.match(r"(?i)https?://|mailto:", value), value
        elif name == "src":
            assert re.fullmatch(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+", value)
        elif name == "style":
            assert value in STYLES
        elif name == "scope":
            assert value in ("row", "col")
        elif name == "target":
            assert value == "_blank"
        elif name == "rel":
            assert value == "noopener noreferrer nofollow"
    for tag in ("th", "td"):
        styled = sum(1 for owner, name, _ in shown.attributes if (owner, name) == (tag, "style"))
        assert styled == shown.tags.count(tag), "a cell says how it is aligned"
    scoped = sum(1 for owner, name, _ in shown.attributes if (owner, name) == ("th", "scope"))
    assert scoped == shown.tags.count("th"), "a heading cell says what it heads"
    for above, text in shown.texts:
        assert not UNSEEN.search(text), "what no eye can see is made visible"
        if not {"pre", "code"} & set(above) and MATHS.search(text):
            assert text == "$", f"what starts mathematics stands alone: {text!r}"
    return shown


def fragment_keeps(html: str) -> Shown:
    """Holds a whole display to the contract: one style, one element of our class."""
    whole = re.fullmatch(r"<style>\n(.*?)</style>\n(<div .*</div>)\n", html, re.DOTALL)
    assert whole, "a display is one style and one element"
    assert "<" not in whole[1]
    shown = keeps(whole[2])
    assert shown.attributes[0] == ("div", "class", "skillbook mathjax_ignore tex2jax_ignore")
    shown.style = whole[1]
    return shown


@dataclass(frozen=True)
class MemoryReader:
    """The in-memory twin of what reads a skill."""

    content: str = "Body.\n"
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def body(self, skill: SkillInfo) -> Body:
        """Returns the content."""
        return Body(self.content, self.notes, f"---\nname: x\n---\n{self.content}")

    def files(self, skill: SkillInfo) -> Files:
        """Returns the paths."""
        return Files(self.paths)


ROOT = Root("skills", "/nowhere/skills")


def made(
    name: str = "tide-report",
    description: str | None = "Reads tides.",
    content: str = "Body.\n",
    **more: object,
) -> SkillInfo:
    """Returns a skill in a folder that is not there, whose body is in memory."""
    given: dict[str, object] = {
        "location": f"{ROOT.path}/one/SKILL.md",
        "origin": "fs",
        "reader": MemoryReader(content),
        "root": ROOT,
        "meta": {"name": name, "description": description},
    }
    return SkillInfo(name, description, **{**given, **more})  # type: ignore[arg-type]
