"""What budgets must hold: each host's numbers and rule, nobody lost unnamed, the same each run."""

from __future__ import annotations

import json
import pickle
import random
import sys
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook.budgets import budget
from skillbook.errors import MissingDependency, SkillNotFound
from skillbook.hosts import HOSTS, limit
from skillbook.listings import Item, ranked
from skillbook.model import SkillDef
from skillbook.source import list_skills, load_skills
from skillbook.tokens import count_tokens
from trees import build

PRESETS = [name for name in HOSTS if name != "own"]


def skills(number: int, chars: int, name: str = "skill-{:03}"):
    """A source of data skills, each with a description of so many characters."""
    return load_skills(
        skills=[SkillDef(name.format(n), "Body.", "d" * chars) for n in range(number)]
    )


def skill_text(name):
    return f"---\nname: {name}\ndescription: Does {name}.\n---\n"


def states(found):
    return [entry.state for entry in found]


# What the threads say


@pytest.mark.parametrize(
    ("host", "context", "numbers", "expected"),
    [
        # melodic-software 1271: contextTokens x 4 x fraction, 200,000 when unknown
        ("claude-code", 200_000, {}, (8_000, "characters")),
        ("claude-code", 1_000_000, {}, (40_000, "characters")),
        ("claude-code", None, {}, (8_000, "characters")),
        ("claude-code", 150_000, {}, (6_000, "characters")),  # ponytail 746
        ("claude-code", 750_000, {"fraction": 0.03}, (90_000, "characters")),
        ("claude-code", 200_000, {"chars": 60_000}, (60_000, "characters")),  # the variable
        ("claude-code-2025", 200_000, {}, (15_000, "characters")),
        ("claude-code-2025", 1_000_000, {"chars": 16_000}, (16_000, "characters")),
        ("codex", 200_000, {}, (4_000, "tokens")),
        ("codex", 272_000, {}, (5_440, "tokens")),  # codex 24299
        ("codex", None, {}, (8_000, "characters")),
        ("copilot-cli", 200_000, {}, (15_000, "characters")),
        ("copilot-cli", None, {}, (15_000, "characters")),
        # maka 796: 2 %, at least 4,000 and at most 8,000 tokens, 4 characters a token
        ("maka", 128_000, {}, (16_000, "characters")),
        ("maka", 300_000, {}, (24_000, "characters")),
        ("maka", 1_000_000, {}, (32_000, "characters")),
        ("maka", None, {}, (18_000, "characters")),
    ],
)
def test_limits_are_those_of_the_threads(host, context, numbers, expected):
    """Each host's limit is the number that its threads give for that context window."""
    found = budget(skills(1, 10), host, context, **numbers)
    assert (found.limit, found.unit) == expected
    assert found.how


def test_limit_does_not_lose_one_to_floating_point():
    """A fraction that binary numbers miss by a hair still gives the whole number."""
    assert limit({"fraction": 0.29, "chars_per_token": 1, "assumed_context": 0}, 100)[0] == 29
    assert limit({"fraction": 0.07}, 100)[0] == 7


def test_claude_code_drops_descriptions_whole():
    """Every name stays; descriptions go whole, from the least used skill, and none is halved."""
    found = budget(skills(20, 900), "claude-code")
    assert states(found) == ["whole"] * 8 + ["name-only"] * 12
    assert found.text.splitlines()[0] == f"- skill-000: {'d' * 900}"
    assert found.text.splitlines()[-1] == "- skill-019"
    assert found.used == len(found.text) <= found.limit
    assert found.missing == ()


def test_claude_code_keeps_the_most_used():
    """The skills that were used most keep their descriptions; the rest go by the order."""
    found = budget(skills(20, 900), "claude-code", usage={"skill-019": 3, "skill-007": 1.5})
    assert [entry.name for entry in found if entry.state == "whole"] == [
        *(f"skill-{n:03}" for n in range(6)),
        "skill-007",
        "skill-019",
    ]


def test_claude_code_cuts_one_entry(tmp_path):
    """Description and when_to_use together are cut at 1,536 characters."""
    text = "---\nname: {0}\ndescription: {1}\nwhen_to_use: {2}\n---\n"
    for name, when in (("long", "w" * 1000), ("short", "w" * 100)):
        build(tmp_path, {f"{name}/SKILL.md": text.format(name, "d" * 1000, when)})
    long, short = budget(load_skills(tmp_path))
    assert (short.state, short.chars) == ("whole", 1103)
    assert short.text == f"- short: {'d' * 1000} - {'w' * 100}"
    assert (long.state, long.shown, long.chars) == ("cut", 1535, 2003)
    assert len(long.text) == len("- long: ") + 1536
    assert long.text.endswith("w…")


def test_claude_code_names_stay_over_the_limit():
    """Names stay even where they alone take more than the limit, and the budget says so."""
    found = budget(skills(1000, 50), "claude-code")
    assert set(states(found)) == {"name-only"}
    assert found.used > found.limit
    assert found.over


def test_claude_code_2025_is_that_of_the_issue():
    """54 skills of 261 characters and about 110 of XML: about 40 are listed (issue 12782)."""
    found = budget(skills(54, 261), "claude-code-2025", overhead=110)
    assert found.needed == 54 * 371 == 20_034
    assert states(found) == ["whole"] * 40 + ["gone"] * 14
    assert found.text.endswith("<!-- Showing 40 of 54 skills due to token limits -->")
    assert found.missing[0] == "skill-040"


def test_claude_code_2025_counts_the_xml():
    """About 109 characters of XML are those of an entry with a name of 19 letters (issue 13099)."""
    found = budget(skills(1, 100, "a-name-of-19-letter"), "claude-code-2025")
    (entry,) = found
    assert entry.cost == 109 + 100
    assert len(entry.text) == 109 + 100


def test_copilot_stops_hard():
    """The list stops at the first entry that does not fit, though a later one would (2314)."""
    source = load_skills(
        skills=[
            SkillDef("a", "Body.", "d" * 60),
            SkillDef("b", "Body.", "d" * 900),
            SkillDef("c", "Body.", "<d> & d"),
        ]
    )
    found = budget(source, "copilot-cli", chars=500)
    assert states(found) == ["whole", "gone", "gone"]
    assert found.text.endswith("</skill>\n<!-- Showing 1 of 3 skills due to token limits -->")
    assert found.prompt().endswith("\n<!-- Left out: b, c -->")
    assert found.prompt(note=False) == found.text
    assert "&lt;d&gt; &amp; d" in budget(source, "copilot-cli").text


def test_copilot_lists_32_of_63():
    """63 skills as long as those of the issue: 32 fit into 15,000 characters (1464)."""
    found = budget(skills(63, 350), "copilot-cli")
    assert f"Showing {len(found.whole)} of 63 skills" in found.text
    assert 31 <= len(found.whole) <= 34


def test_maka_names_what_it_leaves_out():
    """Skills that do not fit are named in the prompt itself (796)."""
    found = budget(skills(50, 1000), "maka", 128_000)
    assert states(found)[:14] == ["whole"] * 14
    assert found.missing == tuple(f"skill-{n:03}" for n in range(14, 50))
    assert found.text.splitlines()[-1].endswith(", ".join(found.missing))


def test_codex_hands_out_in_turn():
    """Descriptions that are too long all end at the same length; short ones stay whole."""
    source = load_skills(
        skills=[
            SkillDef(f"skill-{n:02}", "Body.", "d" * (20 if n % 6 == 0 else 900)) for n in range(18)
        ]
    )
    found = budget(source, "codex", None)
    assert [entry.state for entry in found if entry.chars == 20] == ["whole"] * 3
    cut = [entry.shown for entry in found if entry.chars == 900]
    assert max(cut) - min(cut) <= 1
    assert set(states(found)) == {"whole", "cut"}
    assert found.limit - found.used < 1
    assert found.used == sum(len(entry.text) + 1 for entry in found)


def test_codex_is_that_of_the_issue():
    """18 descriptions of 18,455 characters: each ends at 350, 12,155 are removed (ripwire 49)."""
    lengths = [1025] * 17 + [1030]
    source = load_skills(
        skills=[
            SkillDef(f"ripwire-{n:02}", "Body.", "d" * chars) for n, chars in enumerate(lengths)
        ]
    )
    others = sum(len(f"- ripwire-{n:02}:  (file: skill://ripwire-{n:02}/)\n") for n in range(18))
    found = budget(source, "codex", chars=others + 18 * 350)
    assert [entry.shown for entry in found] == [350] * 18
    assert sum(entry.chars for entry in found) == 18_455
    assert sum(entry.chars - entry.shown for entry in found) == 12_155


def test_codex_estimates_tokens_from_bytes():
    """Under its share of the context, an entry costs its bytes by four, rounded up."""
    source = load_skills(skills=[SkillDef("a", "Body.", "日本語")])
    (entry,) = budget(source, "codex")
    line = "- a: 日本語 (file: skill://a/)\n"
    assert entry.text == line.strip()
    assert entry.cost == -(-len(line.encode()) // 4)
    assert budget(source, "codex").measure == "tokens, as UTF-8 bytes / 4"


def test_codex_cuts_on_load():
    """A description over 1,024 characters is cut there even where there is room."""
    (entry,) = budget(skills(1, 2000), "codex")
    assert (entry.state, entry.shown, entry.chars) == ("cut", 1024, 2000)


def test_codex_leaves_skills_out_at_last():
    """Where not even names fit, all descriptions go and what does not fit is left out."""
    found = budget(skills(10, 50), "codex", chars=100)
    assert states(found) == ["name-only", "name-only", *["gone"] * 8]
    assert found.used <= 100


def one_at_a_time(items, most, price):
    """Codex's rule as it is told: a character to each skill in turn, while there is room."""
    shown = [0] * len(items)
    left = most - sum(price(item, 0) for item in items)
    moved = True
    while moved:
        moved = False
        for place, item in enumerate(items):
            if shown[place] < len(item.description):
                more = price(item, shown[place] + 1) - price(item, shown[place])
                if more <= left:
                    left, moved = left - more, True
                    shown[place] += 1
    return shown


@given(
    st.lists(st.text("aé日", max_size=40), min_size=1, max_size=8),
    st.integers(20, 600),
    st.sampled_from(["chars", "tokens"]),
)
def test_codex_gives_what_one_at_a_time_gives(descriptions, most, unit):
    """The quick way of handing out characters gives just what the slow one gives."""
    items = [Item(f"s{n}", text, location="x") for n, text in enumerate(descriptions)]

    def cost(text):
        return len(text) if unit == "chars" else -(-len(text.encode()) // 4)

    def price(item, shown):
        text = f" {item.description[:shown]}" if shown else ""
        return cost(f"- {item.name}:{text} (file: x)\n")

    listing = HOSTS["codex"].fit(items, most, cost, HOSTS["codex"].numbers, {})
    used = sum(line.cost for line in listing.lines)
    assert used <= most
    if sum(price(item, 0) for item in items) <= most:
        assert [line.shown for line in listing.lines] == one_at_a_time(items, most, price)


# One's own limit


def test_field_case_pc_05(tmp_path):
    """60 skills of 900 characters in 8,000: all names stay, none is halved, the same each run."""
    text = "---\nname: sk-{n:04d}\ndescription: {pad}\n---\nBody.\n"
    files = {f"skills/sk-{n:04d}/SKILL.md": text.format(n=n, pad="p" * 900) for n in range(60)}
    build(tmp_path, files)
    source = load_skills(tmp_path / "skills")
    assert sum(line.startswith("- **sk-") for line in source.prompt().splitlines()) == 60
    assert len(source.prompt()) > 60 * 900
    found = budget(source, chars=8000)
    assert len(found.prompt()) <= 8000
    assert all(f"- **sk-{n:04d}**" in found.prompt() for n in range(60))
    assert {entry.shown for entry in found} == {0, 900}
    assert budget(source, chars=8000).to_dict() == found.to_dict()


def test_own_limit_is_the_prompt_itself():
    """With room for all, the text is that of source.prompt()."""
    source = skills(5, 40)
    found = budget(source, chars=10_000)
    assert found.prompt() == source.prompt()
    assert found.host.name == "own"
    assert set(states(found)) == {"whole"}
    assert found.used == len(source.prompt())
    assert budget(load_skills(), chars=100).prompt() == load_skills().prompt()


@pytest.mark.parametrize("chars", [0, 20, 100, 190, 200, 250, 300, 700, 1500])
def test_own_limit_holds_whatever_it_is(chars):
    """The prompt that a model gets stays within the limit, and what is gone is named behind it."""
    found = budget(skills(12, 80), chars=chars)
    assert len(found.prompt(note=False)) <= chars
    assert all(name in found.prompt() for name in found.missing)
    assert found.used <= chars
    assert set(found.missing) | set(found.name_only) | set(found.whole) == {
        f"skill-{n:03}" for n in range(12)
    }
    for entry in found:
        assert (entry.state == "gone") == (f"**{entry.name}**" not in found.text)
    if found.missing and chars >= 190:
        assert f"<!-- {len(found.missing)} skill" in found.text


@pytest.mark.parametrize("unit", ["chars", "tokens"])
def test_own_limit_of_just_the_prompt_is_enough(unit):
    """A limit that the prompt just fills cuts nothing, and one below it does."""
    source = skills(9, 70)
    size = len(source.prompt()) if unit == "chars" else count_tokens(source.prompt())
    found = budget(source, **{unit: size})
    assert found.used == found.needed == size
    assert set(states(found)) == {"whole"}
    assert states(budget(source, **{unit: size - 1})) == ["whole"] * 8 + ["name-only"]


def test_what_is_used_is_what_is_written():
    """Where a list is counted as it is written, used is the length of it, line ends included."""
    source = skills(9, 70)
    for host, chars in (("claude-code", 600), ("copilot-cli", 620), ("maka", 620), (None, 620)):
        found = budget(source, host, chars=chars)
        listed = "\n".join(entry.text for entry in found if entry.text)
        head, _, _ = found.text.partition(found.entries[0].text)
        tail = found.text.removeprefix(head + listed)
        assert found.used == len(head + listed) + (len(tail) if host is None else 0)
        exact = budget(source, host, chars=len(head + listed)) if host else found
        assert len(exact.whole) == len(found.whole)


@pytest.mark.parametrize("most", [0, 1])
def test_no_room_in_an_entry_leaves_the_name(most):
    """Where an entry may hold no letter of a description, the name alone is listed."""
    found = budget(skills(2, 70), "claude-code", entry_chars=most)
    assert [(entry.state, entry.shown, entry.text) for entry in found] == [
        ("name-only", 0, "- skill-000"),
        ("name-only", 0, "- skill-001"),
    ]
    assert states(budget(skills(2, 70), "codex", entry_chars=0)) == ["name-only"] * 2


@pytest.mark.parametrize("host", [*PRESETS, None])
@pytest.mark.parametrize("to", [0, "", " \n"])
def test_a_description_shortened_to_nothing_leaves_the_name(host, to):
    """Without its description a skill is listed by its name alone, and is not called whole."""
    found = budget(skills(2, 70), host, chars=1000)
    entry = found.shorten("skill-000", to).after["skill-000"]
    assert (entry.state, entry.shown, entry.chars) == ("name-only", 0, 0)
    assert "ddd" not in entry.text


def test_own_limit_in_tokens():
    """A limit in tokens is counted by the counter, which is named."""
    found = budget(skills(30, 200), tokens=400)
    assert (found.limit, found.unit, found.measure) == (400, "tokens", "tokens by cl100k_base")
    assert count_tokens(found.prompt()) <= 400
    assert budget(skills(3, 20), tokens=400, counter=len).measure == "tokens by len"


def test_a_hosts_limit_can_be_replaced():
    """Chars and tokens take the place of a host's limit, under the host's own rule."""
    found = budget(skills(5, 100), "copilot-cli", tokens=60)
    assert found.measure == "tokens by cl100k_base"
    assert states(found)[-1] == "gone"
    assert budget(skills(5, 100), "codex", tokens=60).measure == "tokens, as UTF-8 bytes / 4"


@pytest.mark.parametrize("divide", [lambda n: n // 4, lambda n: round(n / 4)])
def test_own_limit_holds_for_any_counter(divide):
    """Also where a counter gives more for all lines together than for each, the limit holds."""
    source = skills(15, 61)
    for most in range(0, 400, 7):
        found = budget(source, tokens=most, counter=lambda text: divide(len(text)))
        assert found.used == divide(len(found.text)) <= most
        assert not found.over


@pytest.mark.parametrize("host", ["copilot-cli", "maka", "claude-code-2025", "claude-code", "own"])
@pytest.mark.parametrize("unit", ["chars", "tokens"])
def test_a_limit_of_just_the_list_is_enough(host, unit):
    """What a list takes is what is written, so just that is enough, and one less is not."""
    if (host, unit) == ("claude-code-2025", "chars"):
        return  # its overhead is a number of its own, whatever is written
    source = skills(7, 70)
    text = budget(source, host, **{unit: 100_000}).text
    size = len(text) if unit == "chars" else count_tokens(text)
    found = budget(source, host, **{unit: size})
    assert (found.used, found.needed, len(found.whole)) == (size, size, 7)
    assert len(budget(source, host, **{unit: size - 1}).whole) == 6


def test_overhead_in_characters_is_no_overhead_in_tokens():
    """Under a limit in tokens the entry itself is counted, unless an overhead is given."""
    source = skills(3, 70)
    found = budget(source, "claude-code-2025", tokens=1500)
    assert found.used == count_tokens(found.text)
    assert found.numbers == {"tokens": 1500}
    given = budget(source, "claude-code-2025", tokens=1500, overhead=30)
    assert given.used == 3 * (30 + count_tokens("d" * 70))


def test_only_numbers_that_count_are_told():
    """A given limit takes the place of the numbers that make one; both at once are refused."""
    assert budget(skills(1, 9), chars=900, host="claude-code").numbers == {
        "chars": 900,
        "entry_chars": 1536,
    }
    assert budget(skills(1, 9), "copilot-cli", tokens=900).numbers == {"tokens": 900}
    with pytest.raises(ValueError, match="fraction makes the limit, and chars gives one"):
        budget(skills(1, 9), "claude-code", chars=900, fraction=0.02)
    assert "200,000 tokens of context, which are assumed" in budget(skills(1, 9), context=None).how


def test_names_are_not_told_twice():
    """Where the list itself names what is gone, no line of ours does."""
    found = budget(skills(50, 1000), "maka", 128_000)
    assert found.prompt() == found.text
    assert found.prompt().count("skill-049") == 1


# What a change would do


def test_when_to_use_stays_where_a_description_is_reworded(tmp_path):
    """A new description keeps when_to_use behind it; a number counts both, as chars does."""
    text = "---\nname: wt\ndescription: Does it well.\nwhen_to_use: When asked to.\n---\n"
    build(tmp_path, {"wt/SKILL.md": text})
    found = budget(load_skills(tmp_path))
    assert found["wt"].chars == 30
    assert found.shorten("wt", "Does it well.").freed == 0
    assert found.shorten("wt", "Does it.").freed == 5
    assert found.shorten("wt", 15).freed == 15
    assert found.shorten("wt", 30).freed == 0
    again = found.shorten("wt", "Does it.").after["wt"]
    assert again.text == "- wt: Does it. - When asked to."
    assert budget(load_skills(tmp_path), "copilot-cli")["wt"].chars == 13


def test_a_new_skill_lies_beside_the_others(tmp_path, monkeypatch):
    """Where places are listed, a skill to try takes what it would take beside the first."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "skills", {"a/SKILL.md": skill_text("a"), "b/SKILL.md": skill_text("b")})
    change = budget(load_skills("skills"), "codex").add("new-one", "Does new-one.")
    build(tmp_path / "skills", {"new-one/SKILL.md": skill_text("new-one")})
    real = budget(load_skills("skills"), "codex")
    assert change.after["new-one"].text == real["new-one"].text
    assert change.after.used == real.used


def test_a_skill_that_gets_a_description_is_undescribed_no_more():
    """A skill to try takes the place of one without a description."""
    source = load_skills(skills=[SkillDef("a", "x", "Does."), SkillDef("b", "x")])
    assert budget(source).add("b", "Does b.").after.undescribed == ()


def test_changes_upon_changes():
    """A change of a change is that of a source with both."""
    first = skills(6, 300)
    changed = load_skills(
        skills=[
            *(SkillDef(s.name, "B", s.description) for s in first.values() if s.name[-1] != "3"),
            SkillDef("skill-003", "B", "Short."),
            SkillDef("zz", "B", "Is new."),
        ]
    )
    for host in (*PRESETS, None):
        found = budget(first, host, chars=900)
        after = found.shorten("skill-003", "Short.").after.add("zz", "Is new.").after
        assert (after.text, after.used) == (
            budget(changed, host, chars=900).text,
            budget(changed, host, chars=900).used,
        )


def test_shortening_frees_and_brings_back():
    """Shortening one description frees its characters, and what fits again is named."""
    found = budget(skills(20, 900), "claude-code")
    change = found.shorten("skill-000", 100)
    assert change.freed == 800
    assert change.better == ("skill-008",)
    assert change.worse == ()
    assert states(change.after) == ["whole"] * 9 + ["name-only"] * 11
    assert found.shorten("skill-000", "Short.").freed == 894
    assert found["skill-000"].description_cost == 902
    assert found.shorten("skill-000", 2000).freed == 0


def test_a_new_skill_pushes_out():
    """A new skill takes its place in the order, and what it pushes out is named."""
    found = budget(skills(20, 900), "claude-code")
    change = found.add("a-new-one", "d" * 900)
    assert change.freed == -len(f"- a-new-one: {'d' * 900}\n")
    assert change.after["a-new-one"].state == "whole"
    assert change.worse == ("skill-007",)
    assert change.better == ()
    assert "less is listed of skill-007" in repr(change)


def test_a_new_skill_shortens_others_at_codex():
    """At Codex a new skill shortens every long description a little."""
    found = budget(skills(20, 900), "codex", None)
    change = found.add("a-new-one", "d" * 900)
    assert set(change.worse) == {f"skill-{n:03}" for n in range(20)}
    assert [change.after[name].state for name in change.worse] == ["cut"] * 20


def test_a_change_is_checked():
    """A wrong name, a taken one and a wrong size are errors that say what is there."""
    found = budget(skills(2, 50))
    with pytest.raises(SkillNotFound, match=r'"nope" not found\. Available skills: skill-000'):
        found.shorten("nope", 10)
    with pytest.raises(ValueError, match="there is a skill named 'skill-000'"):
        found.add("skill-000", "x")
    with pytest.raises(TypeError, match="name is 5; pass it as text"):
        found.add(5, "x")
    with pytest.raises(TypeError, match="description is None; pass it as text"):
        found.add("new", None)
    with pytest.raises(ValueError, match="description is ' '; no list holds a skill without one"):
        found.add("new", " ")
    with pytest.raises(ValueError, match="name is ''; no list holds a skill without one"):
        found.add("", "x")
    with pytest.raises(ValueError, match="to is -1"):
        found.shorten("skill-000", -1)
    with pytest.raises(TypeError, match=r"to is 2\.5"):
        found.shorten("skill-000", 2.5)
    with pytest.raises(SkillNotFound, match="nope"):
        found["nope"]
    with pytest.raises(TypeError, match="name is 3; pass the name of a skill"):
        found[3]
    with pytest.raises(TypeError, match="name is 3; pass the name of a skill"):
        found.shorten(3, 3)


# The result


@pytest.mark.parametrize("host", PRESETS)
def test_presets_name_source_and_date(host):
    """A preset's result names where and when its numbers were read, and each number."""
    told = json.loads(json.dumps(budget(skills(3, 100), host).to_dict()))
    assert told["read"] == "November 2026"
    assert all(each.startswith("https://github.com/") for each in told["sources"])
    assert told["sources"]
    assert told["numbers"] == HOSTS[host].numbers
    assert told["overflow"]


@pytest.mark.parametrize("host", PRESETS)
def test_each_number_is_an_argument(host):
    """Each of a host's numbers can be given in the call, and stands in the result."""
    source = skills(30, 1200)
    for name, value in HOSTS[host].numbers.items():
        given = int(value * 2) if value >= 1 else value * 2
        assert budget(source, host, None, **{name: given}).numbers[name] == given


@pytest.mark.parametrize("host", PRESETS)
@pytest.mark.parametrize("number", [0, 1, 40])
def test_every_skill_has_a_state(host, number):
    """Every skill is an entry, the states agree with the text, and the sums with the total."""
    found = budget(skills(number, 700), host)
    assert [entry.name for entry in found] == [f"skill-{n:03}" for n in range(number)]
    assert found.used == sum(entry.cost for entry in found)
    assert found.needed == sum(entry.full_cost for entry in found)
    for entry in found:
        assert (entry.state == "gone") == (entry.text == "")
        assert entry.text in found.text
    assert len(found) == len(found.whole) + len(found.cut) + len(found.name_only) + len(
        found.missing
    )


@pytest.mark.parametrize("host", PRESETS)
def test_the_order_given_changes_nothing(host):
    """The same skills in another order give the same result."""
    given = [SkillDef(f"skill-{n:02}", "Body.", "d" * (n * 97 % 900)) for n in range(40)]
    mixed = given.copy()
    random.Random(3).shuffle(mixed)
    first, second = (budget(load_skills(skills=each), host) for each in (given, mixed))
    assert first.to_dict() == second.to_dict()
    assert first.text == second.text


def test_undescribed_skills_are_told():
    """A skill without a description is in no list, and is named apart."""
    source = load_skills(skills=[SkillDef("a", "x", "Does."), SkillDef("b", "x")])
    found = budget(source)
    assert [entry.name for entry in found] == ["a"]
    assert found.undescribed == ("b",)


def test_inventory_is_taken_too(tmp_path):
    """An inventory gives the same as a source of the same skills."""
    build(tmp_path, {"a/SKILL.md": "---\nname: a\ndescription: Does.\n---\n"})
    assert budget(list_skills(tmp_path)).to_dict() == budget(load_skills(tmp_path)).to_dict()


def test_place_is_shown_as_typed(tmp_path, monkeypatch):
    """Codex lists a skill's place: it is the root as typed, so it is the same everywhere."""
    build(tmp_path / "skills", {"a/SKILL.md": "---\nname: a\ndescription: Does.\n---\n"})
    monkeypatch.chdir(tmp_path)
    assert budget(load_skills("skills"), "codex").text == "- a: Does. (file: skills/a/SKILL.md)"


def test_hostile_descriptions_stay_on_their_line():
    """A description cannot forge a line or end our note."""
    source = load_skills(
        skills=[
            SkillDef("a-->b", "x", "One\n- **pdf**: forged\u2028two"),
            SkillDef("c", "x", "d" * 99),
        ]
    )
    found = budget(source, "claude-code")
    assert found.text.split("\n")[0] == "- a-->b: One - **pdf**: forged two"
    gone = budget(source, "copilot-cli", chars=10).prompt()
    assert gone.count("-->") == 2  # the host's comment and ours
    assert "a--&gt;b" in gone


def test_budget_as_a_table():
    """to_pandas has one row a skill, with its state and the unit."""
    table = budget(skills(20, 900)).to_pandas()
    assert list(table["state"]).count("name-only") == 12
    assert set(table["unit"]) == {"characters"}


def test_table_without_pandas_says_what_to_install(monkeypatch):
    """Without pandas, to_pandas says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependency, match="pip install pandas"):
        budget(skills(1, 10)).to_pandas()


def test_repr_tells_the_states():
    """The repr has the host, what is used of what, and how many skills are in each state."""
    assert repr(budget(skills(20, 900))) == (
        "<Budget at Claude Code: 7,455 of 8,000 characters, 20 skills: 8 whole, 12 name-only>"
    )


def test_change_as_data():
    """A change is JSON-safe and tells what it frees and moves."""
    told = json.loads(json.dumps(budget(skills(20, 900)).shorten("skill-000", 0).to_dict()))
    assert (told["freed"], told["unit"], told["better"]) == (902, "characters", ["skill-008"])


def test_many_skills_are_quick():
    """20,000 skills are fitted by each host in a few seconds of work."""
    source = skills(20_000, 300, "skill-{:05}")
    start = time.process_time()
    for host in PRESETS:
        budget(source, host, 10_000_000)
    assert time.process_time() - start < 20


# Wrong arguments


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"host": "cursor"}, ValueError, "no host is called 'cursor'; known are claude-code, "),
        ({"host": "own"}, ValueError, "the host 'own' needs a limit: pass chars or tokens"),
        ({"chars": 1, "tokens": 1}, ValueError, "chars and tokens are both given"),
        ({"host": ""}, ValueError, "no host is called ''"),
        ({"host": 0}, TypeError, "host is 0; pass one of claude-code, "),
        ({"context": 0}, ValueError, "context is 0; pass a number of tokens above 0"),
        ({"context": 10**15}, ValueError, "from 0, below 10\\^15"),
        ({"chars": float("inf")}, TypeError, "chars is inf; pass a whole number"),
        ({"fraction": 10**400}, ValueError, "below 10\\^15"),
        ({"fraction": None}, TypeError, "fraction is None"),
        ({"counter": 3}, TypeError, "counter is 3"),
        ({"usage": {5: 1}}, TypeError, "usage has the key 5; pass the names of skills"),
        ({"usage": {"pdf": -1}}, ValueError, r"usage\['pdf'\] is -1; pass a number from 0"),
        ({"chars": -1}, ValueError, "chars is -1"),
        ({"chars": 2.5}, TypeError, "chars is 2.5; pass a whole number"),
        ({"tokens": "8k"}, TypeError, "tokens is '8k'"),
        ({"context": 0.5}, TypeError, "context is 0.5"),
        ({"context": True}, TypeError, "context is True"),
        ({"fraction": "1%"}, TypeError, "fraction is '1%'"),
        ({"fraction": float("nan")}, ValueError, "fraction is nan"),
        (
            {"overhead": 3},
            TypeError,
            "Claude Code has no number 'overhead'; it has chars, tokens, ",
        ),
        ({"host": "codex", "usage": {}}, ValueError, "Codex CLI does not rank skills by use"),
        ({"usage": ["pdf"]}, TypeError, "usage is "),
        ({"usage": {"pdf": "often"}}, TypeError, r"usage\['pdf'\] is 'often'"),
    ],
)
def test_wrong_arguments_say_what_is_right(arguments, error, message):
    """A wrong argument is an error with the value found and what to pass."""
    with pytest.raises(error, match=message):
        budget(skills(1, 10), **arguments)


def test_only_skills_have_a_budget():
    """Anything but a source or an inventory is a TypeError."""
    with pytest.raises(TypeError, match="not list; load_skills and list_skills give one"):
        budget(["a"])


def test_ranking_is_stable():
    """Skills of the same use keep their order."""
    items = [Item(name, "") for name in "abcd"]
    assert ranked(items, {"c": 2, "d": 2}) == [2, 3, 0, 1]


def test_a_new_skill_is_found_under_its_name_on_one_line() -> None:
    """A name with runs of white space is put on one line, and the change can be shown."""
    source = load_skills(skills=[{"name": "a", "content": "", "description": "A."}])
    change = budget(source).add("two\n words", "New.")
    assert change.name == "two words"
    assert change.after[change.name].name == "two words"


def test_amounts_are_told_in_their_unit():
    """One of a unit is told in the singular, as in the repr of a change."""
    found = budget(skills(2, 40))
    assert [found.amount(n) for n in (0, 1, 8000)] == [
        "0 characters",
        "1 character",
        "8,000 characters",
    ]
    assert "frees 1 character of the whole list;" in repr(found.shorten("skill-000", 39))
    assert budget(skills(1, 40), tokens=9).amount(1) == "1 token"


def test_usage_of_names_that_are_not_here_is_told():
    """A name in usage that no skill has changes nothing, and is told."""
    found = budget(skills(3, 9), usage={"skill-001": 2, "skil-002": 9})
    assert found.not_here == ("skil-002",)
    assert found.to_dict()["not_here"] == ["skil-002"]
    assert budget(skills(3, 9)).not_here == ()


def test_numbers_of_other_libraries_are_numbers():
    """A whole number that is no int is taken, and stands in the result as Python's own."""
    numpy = pytest.importorskip("numpy")
    found = budget(skills(2, 9), context=numpy.int64(64_000), usage={"skill-001": numpy.float64(2)})
    assert type(found.context) is int
    assert found.limit == 2560
    json.dumps(budget(skills(2, 9), chars=numpy.int32(90)).to_dict())


def test_what_a_host_cuts_of_any_entry_is_never_needed():
    """An entry that the host cuts even with room for all is needed as cut."""
    (entry,) = budget(skills(1, 3000))
    assert (entry.state, entry.cost, entry.full_cost) == ("cut", 1549, 1549)


def test_own_limit_ends_for_any_counter():
    """A counter that counts something for nothing cannot be kept to; it is told, and it ends."""
    found = budget(skills(3, 20), tokens=0, counter=lambda text: max(1, len(text) // 4))
    assert (found.text, found.used, found.over) == ("", 1, True)
    assert budget(skills(3, 20), tokens=2, counter=lambda text: len(text) // 4 + 3).over


def test_own_limit_holds_as_many_names_as_fit():
    """Where names are left out, just as many stay as fit, counted all together."""
    source = skills(10, 50, "n{:02}")
    sizes = {}
    for most in range(600):
        found = budget(source, chars=most)
        assert found.used <= most
        sizes.setdefault(len(found) - len(found.missing), found.used)
    for named, used in sizes.items():
        exact = budget(source, chars=used)
        assert len(exact) - len(exact.missing) == named
        if named:
            one_less = budget(source, chars=used - 1)
            assert len(one_less) - len(one_less.missing) < named
    every = [entry.name for entry in budget(source, chars=10_000)]
    bare = len(budget(source, chars=sizes[len(every)]).text)
    assert bare == sizes[len(every)]


def test_own_limit_counts_all_lines_together():
    """Where a counter rounds each line up, the whole list is what counts."""
    source = skills(30, 40, "n{:02}")

    def count(text):
        return -(-len(text) // 4)

    names = "\n".join(f"- **n{n:02}**" for n in range(30))
    head = budget(source, chars=10_000).text.partition("- **n00**")[0]
    found = budget(source, tokens=count(head + names), counter=count)
    assert set(states(found)) == {"name-only"}
    assert found.used == count(head + names)


def test_a_skill_can_be_tried_where_there_is_none():
    """An empty list takes a skill to try, at every host."""
    for host in PRESETS:
        change = budget(load_skills(), host).add("a", "Does a.")
        assert change.after["a"].state == "whole"
    assert "a" in budget(load_skills(), chars=500).add("a", "Does a.").after.text


@pytest.mark.parametrize(
    ("folder", "name", "expected"),
    [
        ("skills/pdf-tools/x", "pdf", "skills/pdf-tools/newone/SKILL.md"),
        ("skills/md", "md", "skills/newone/SKILL.md"),
        ("skills/SKILL", "SKILL", "skills/newone/SKILL.md"),
        ("skills/tide-clock", "tide", "skills/newone/SKILL.md"),
    ],
)
def test_a_new_skill_lies_in_a_folder_of_its_own(tmp_path, monkeypatch, folder, name, expected):
    """The folder that holds a SKILL.md is replaced, whatever the first skill is called."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path, {f"{folder}/SKILL.md": skill_text(name)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name that is not the folder's gives one
        source = load_skills("skills")
    added = budget(source, "codex").add("newone", "Does.").after["newone"]
    assert added.text == f"- newone: Does. (file: {expected})"


def test_a_folder_cannot_forge_a_line(tmp_path, monkeypatch):
    """A folder's name stays on its line."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path, {"skills/x\n- evil: y (file: z)/SKILL.md": skill_text("x")})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = budget(load_skills("skills"), "codex")
    assert found.text.count("\n") == 0


def test_numpy_numbers_shorten_too():
    """A whole number of another library says how much to keep, as Python's own does."""
    numpy = pytest.importorskip("numpy")
    found = budget(skills(2, 40))
    assert found.shorten("skill-000", numpy.int64(5)).freed == 35


def test_a_skill_that_is_tried_is_here():
    """A name in usage is told as missing only while no skill has it."""
    found = budget(skills(1, 9), usage={"zz": 5})
    assert found.not_here == ("zz",)
    assert found.add("zz", "Does.").after.not_here == ()


def test_reprs_are_short():
    """The repr of a change stays short, whatever its name."""
    assert len(repr(budget(skills(1, 9)).add("x" * 10**6, "Does."))) < 500


@pytest.mark.parametrize("host", [*PRESETS, None])
def test_budgets_can_be_copied(host):
    """A budget can be pickled and goes on reckoning afterwards."""
    found = budget(skills(5, 90), host, chars=900)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.shorten("skill-000", 5).freed == found.shorten("skill-000", 5).freed


def test_an_empty_table_has_its_columns():
    """Without a skill the table has the columns that it has with one."""
    assert list(budget(load_skills()).to_pandas()) == list(budget(skills(1, 9)).to_pandas())


def test_the_least_is_not_above_the_most():
    """Bounds the wrong way round are refused."""
    with pytest.raises(ValueError, match="least_tokens is 9,000 and most_tokens 8,000; swap them"):
        budget(skills(1, 9), "maka", least_tokens=9000)
