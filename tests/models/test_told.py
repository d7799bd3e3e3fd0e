import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowassist.errors import Reason, Status
from flowassist.models.model import ModelError, Trouble
from flowassist.models.providers.failures.wrapped import fault_of_text
from flowassist.models.told import MAX_TEXT, REASONS, cut, shown, stop_of
from flowassist.secret import Secret

BEGIN = "The provider did not accept the request"
LONG = "messages.0.content: the text is longer than this endpoint allows, " * 5


def refused(said: str) -> str:
    """What the user reads when a provider refuses a request with these words."""
    return str(stop_of(ModelError(Trouble.BAD_REQUEST, "SECRET text of an exception", said=said)))


@pytest.mark.parametrize("trouble", list(Trouble))
def test_every_trouble_has_a_reason_of_its_own(trouble: Trouble) -> None:
    stop = stop_of(ModelError(trouble, "SECRET", said="SECRET" if trouble is not Trouble.BAD_REQUEST else ""))
    assert stop.reason is REASONS[trouble]
    assert list(REASONS.values()).count(stop.reason) == 1
    assert stop.reason.meaning.status is Status.EVENT
    assert stop.reason.meaning.advice
    assert 0 < len(str(stop)) <= MAX_TEXT
    assert "SECRET" not in str(stop)


@pytest.mark.parametrize(
    ("trouble", "word", "retryable"),
    [
        (Trouble.RATE_LIMITED, "Rate limit", True),
        (Trouble.AUTHENTICATION, "API key", False),
        (Trouble.QUOTA, "credit", False),
        (Trouble.TIMEOUT, "in time", True),
        (Trouble.UNREACHABLE, "reached", True),
        (Trouble.OVERLOADED, "trouble", True),
        (Trouble.NOT_AVAILABLE, "model is not available", False),
        (Trouble.REFUSED, "refused", False),
        (Trouble.CONTEXT_TOO_LONG, "longer", False),
        (Trouble.FORBIDDEN, "may not use", False),
        (Trouble.NO_TOOLS, "cannot use tools", False),
        (Trouble.MALFORMED, "form", True),
        (Trouble.TOO_MANY_STEPS, "steps", False),
        (Trouble.BROKEN_OFF, "broke off", True),
        (Trouble.BAD_REQUEST, "did not accept", False),
    ],
)
def test_what_the_user_reads(trouble: Trouble, word: str, retryable: bool) -> None:
    stop = stop_of(ModelError(trouble, "text"))
    assert word in str(stop)
    assert stop.reason.meaning.retryable is retryable


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Error 429: Too many requests", Reason.MODEL_RATE_LIMITED),
        ("Invalid api_key", Reason.MODEL_AUTHENTICATION),
        ("Insufficient credits", Reason.MODEL_QUOTA),
        ("Connection timed out", Reason.MODEL_TIMEOUT),
        ("Connection refused", Reason.MODEL_UNREACHABLE),
        ("500 Internal Server Error", Reason.MODEL_OVERLOADED),
        ("Model gpt-5 not found", Reason.MODEL_NOT_AVAILABLE),
        ("2 validation errors for InputSchema", Reason.MODEL_MALFORMED),
        ("Content blocked by safety filter", Reason.MODEL_REFUSED),
        ("Recursion limit of 25 reached. See https://example.org/GRAPH_RECURSION_LIMIT", Reason.STEPS_EXHAUSTED),
        ("error parsing tool call: raw='{'", Reason.MODEL_MALFORMED),
        ("x" * 200, Reason.MODEL_BAD_REQUEST),
        ("max_tokens 4290", Reason.MODEL_BAD_REQUEST),
    ],
)
def test_from_raw_text_to_the_users_words(text: str, reason: Reason) -> None:
    stop = stop_of(fault_of_text(f"Error building Component Agent: {text}").error(Secret("key")))
    assert stop.reason is reason
    assert len(str(stop)) <= MAX_TEXT
    assert "http" not in str(stop)
    assert "Error building" not in str(stop)


def test_weak_models_are_told_from_broken_servers() -> None:
    assert "more capable model" in Reason.MODEL_MALFORMED.meaning.advice


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("", f"{BEGIN}."),
        ("   \n ", f"{BEGIN}."),
        ("https://example.org/help", f"{BEGIN}."),
        ("400", f"{BEGIN}."),
        ("messages: at least one is required", f"{BEGIN}: messages: at least one is required"),
        ("two\n\n  lines\tand\u202e more\0", f"{BEGIN}: two lines and more"),
        ("half a \ud83d pair", f"{BEGIN}: half a pair"),
        ("x" * 200, f"{BEGIN}: {'x' * 106}..."),
    ],
)
def test_a_refused_request_is_told_in_the_providers_words(said: str, text: str) -> None:
    assert refused(said) == text


@pytest.mark.parametrize("extra", range(12))
def test_a_long_message_is_cut_after_a_word(extra: int) -> None:
    said = "y" * extra + " " + LONG
    text = refused(said)
    kept = text.removeprefix(f"{BEGIN}: ").removesuffix("...")
    assert MAX_TEXT - 20 < len(text) <= MAX_TEXT
    assert text.endswith("...")
    assert said.strip().startswith(kept)
    assert said.strip()[len(kept)] in " ,:."


@pytest.mark.parametrize("length", [109, 108])
def test_what_fits_is_not_cut(length: int) -> None:
    assert refused("a" + "b" * (length - 1)).endswith("b")
    assert len(refused("a" + "b" * (length - 1))) == MAX_TEXT - 109 + length


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ("See https://platform.example.org/account?x=1.", "platform"),
        ("See platform.openai.com/account/api-keys today", "platform"),
        ("upstream 10.0.0.7:8080 refused", "10.0"),
        ("upstream localhost:11434/api/chat refused", "localhost"),
        ("ask admin@example.org for it", "admin"),
        ("no such file /home/me/models/a.gguf here", "home"),
        ("no such file ~/models/a.gguf here", "models"),
        ("no such file C:\\Users\\me\\a.gguf here", "Users"),
        ("Incorrect key sk-proj-abcDEF_123456 given", "abcDEF"),
        ("Incorrect key sk-ab***********wxyz given", "wxyz"),
        ("Incorrect key gsk_abcDEF123456 given", "abcDEF"),
        ("Incorrect key AIzaSyA-1234567890abcdef given", "1234"),
        ("Incorrect header Bearer abc.def given", "abc"),
        ("token eyJhbGciOi.eyJzdWIiOi.c2ln is old", "eyJ"),
        ("key 0123456789abcdefABCDEF0123 is old", "0123"),
        ("Organization org-AbCd1234efGH has no access", "AbCd"),
        ("project_id 6e70429b-2e92-4545-b77b-8170dbd2dfbb is wrong", "6e70"),
    ],
)
def test_addresses_paths_and_keys_are_not_shown(said: str, hidden: str) -> None:
    text = shown(said)
    assert hidden not in text
    assert "…" in text
    assert text.split(maxsplit=1)[0] == said.split(maxsplit=1)[0]


@pytest.mark.parametrize(
    "said",
    [
        "The model `meta-llama/llama-3.3-70b` takes no images",
        "claude-sonnet-4-5-20250929 takes no images",
        "messages.1.content.0.text: Input should be a string",
        "max_tokens: 64000 > 8192, the maximum for gpt-4.1-mini-2025-04-14",
        "'response_format.json_schema.schema' is too deep",
        "skipping skeletons, requests and user_settings, pk_id",
        "Größe der Eingabe und/oder Ausgabe: zu groß",
    ],
)
def test_what_helps_is_shown_as_it_is(said: str) -> None:
    assert shown(said) == said


def test_a_word_that_is_longer_than_the_room_is_cut_in_the_middle() -> None:
    assert cut("a " + "b" * 50, 20) == "a " + "b" * 15 + "..."
    assert cut("one two, three", 11) == "one two..."


@given(st.text())
def test_whatever_a_provider_says_fits_on_one_line(said: str) -> None:
    text = refused(said)
    assert text.startswith(BEGIN)
    assert len(text) <= MAX_TEXT
    assert text.isprintable()


@given(st.text())
def test_whatever_an_exception_says_is_not_shown(text: str) -> None:
    stop = stop_of(fault_of_text(text).error(Secret("key")))
    assert len(str(stop)) <= MAX_TEXT
    assert stop.metadata in ({}, {"said": "."})
