from flowassist.components.function import read_function

IDLE = "def compute(text: str, sep: str) -> list[dict]:\n    return [{'text': text, 'sep': sep}]"


def test_imports_definitions_and_the_main_function() -> None:
    function = read_function(
        "from collections import Counter\nimport re\n\nLIMIT = 3\n\ndef helper(a):\n    return a\n\n"
        "def compute(text: str) -> str:\n    # first\n    return re.sub('a', 'b', helper(text))\n"
    )
    assert function.imports == ("import re", "from collections import Counter")
    assert [text.splitlines()[0] for text in function.definitions] == [
        "LIMIT = 3",
        "def helper(a):",
        "def compute(text: str) -> str:",
    ]
    assert "    # first" in function.definitions[-1]
    assert (function.name, function.parameters) == ("compute", ("text",))


def test_what_lfx_would_drop_is_left_out() -> None:
    function = read_function(
        '"""Doc."""\nfrom __future__ import annotations\n\ndef compute(a):\n    return a + 1\n\nprint(compute(3))\n'
        "if __name__ == '__main__':\n    compute(1)\n"
    )
    assert function.imports == ()
    assert function.definitions == ("def compute(a):\n    return a + 1",)


def test_forgotten_modules_are_imported_and_no_others() -> None:
    function = read_function(
        "def compute(text, string, pd):\n    import html\n    math = text\n"
        "    return json.dumps(re.findall(text, html.escape(string))) + string.strip() + math.upper() + pd.x + np.y\n"
    )
    assert function.imports == ("import json", "import re")


def test_without_the_agreed_name_the_last_function_is_meant() -> None:
    assert read_function("def one(a):\n    return a\n\ndef two(a):\n    return one(a)").name == "two"
    assert read_function("def compute(a):\n    return two(a)\n\ndef two(a):\n    return a").name == "compute"


def test_defaults_are_plain_constants() -> None:
    function = read_function("def compute(a, b=',', c=[], d=3):\n    return a + b")
    assert function.defaults == {"b": ",", "d": 3}


def test_decorators_stay() -> None:
    source = "@lru_cache\ndef helper(a):\n    return a\n\ndef compute(a):\n    return helper(a)"
    assert read_function(source).definitions[0].startswith("@lru_cache\ndef helper")


def test_source_that_does_not_parse_is_kept_as_it_is() -> None:
    function = read_function("def compute(text:\n    return text")
    assert function.definitions == ("def compute(text:\n    return text",)
    assert (function.main, function.name, function.takes_any) == (None, "compute", True)


def test_indented_source_is_set_to_the_margin() -> None:
    assert read_function("    def compute(a):\n        return a + a").name == "compute"


def test_an_idle_function_only_gives_back_what_it_got() -> None:
    assert read_function(IDLE).is_idle
    assert read_function("def compute(a):\n    return a").is_idle
    for work in ("a.upper()", "a + 'x'", "f'{a}!'", "a if a else 'x'", "[x for x in a]", "not a", "a[0]", "a > 3"):
        assert not read_function(f"def compute(a):\n    return {work}").is_idle, work
    assert not read_function("def compute(text:").is_idle


def test_async_functions() -> None:
    assert read_function("async def compute(a):\n    return a").is_async
