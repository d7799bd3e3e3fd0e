"""Langflow's own component types, as they are read from lfx's index."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from flowassist.components.library import Library

NODE = {"template": {"_type": "Component", "code": {"value": "x = 1"}}, "outputs": []}


async def test_every_type_of_lfx_is_there_with_its_code_inputs_and_outputs() -> None:
    index = await Library().index()
    assert (index.version, index.problem, len(index.types)) == ("1.13.0", "", 130)
    for name, entry in index.types.items():
        told = entry.describe()
        assert told.type == entry.type
        assert (told.type.name, bool(told.type.display_name), bool(told.type.category)) == (name, True, True)
        assert "class " in told.code
        assert len({one.name for one in told.inputs}) == len(told.inputs)
        assert all(one.kind and one.value_type and one.name != "code" for one in told.inputs)
        assert all(one.default is None for one in told.inputs if one.secret)
        assert all(output.name and output.method for output in told.outputs)
        json.dumps(told.node)


async def test_lfx_is_not_imported_for_it() -> None:
    code = (
        "import asyncio, sys\n"
        "from flowassist.components.library import Library\n"
        "assert len(asyncio.run(Library().index()).types) == 130\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in {'lfx', 'langflow'}]\n"
    )
    run = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await run.wait() == 0


async def test_one_type_in_full() -> None:
    told = (await Library().index()).types["AlterMetadata"].describe()
    assert (told.type.category, told.type.legacy, told.type.beta, told.type.icon) == (
        "processing",
        True,
        False,
        "merge",
    )
    assert told.type.packages == ()
    assert [one.name for one in told.inputs] == ["input_value", "text_in", "metadata", "remove_fields"]
    first, text, metadata, _ = told.inputs
    assert (first.kind, first.is_list, first.accepts, first.default) == (
        "HandleInput", True, ("Message", "Data", "JSON"), None,
    )  # fmt: skip
    assert (text.value_type, text.required, text.hidden, text.accepts) == ("str", False, False, ())
    assert (metadata.required, metadata.default) == (True, {})
    assert [(output.name, output.method, output.types) for output in told.outputs] == [
        ("data", "process_output", ("JSON",)),
        ("dataframe", "as_dataframe", ("Table",)),
    ]


async def test_secrets_choices_and_packages() -> None:
    types = (await Library().index()).types
    inputs = [one for entry in types.values() for one in entry.describe().inputs]
    assert any(one.secret for one in inputs)
    assert "Select Keys" in next(one.options for one in types["DataOperations"].describe().inputs if one.options)
    packages = {name for entry in types.values() for name in entry.type.packages}
    assert "pandas" in packages
    assert not packages & {"lfx", "langflow"}


async def test_it_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "index.json"
    file.write_text(json.dumps({"entries": [["mine", {"One": NODE}]], "version": "9"}))
    library = Library(file)
    first, second = await asyncio.gather(library.index(), library.index())
    file.unlink()
    assert first is second is await library.index()
    assert (list(first.types), first.version) == (["One"], "9")


@pytest.mark.parametrize(
    "text",
    [
        None, "", "{", "[]", "{}", "[" * 100_000, "\ud800",
        '{"entries": 3, "version": "1"}',
        '{"entries": [["a"]], "version": "1"}',
        '{"entries": [["a", []]], "version": "1"}',
        '{"entries": [["a", {"One": {}}]], "version": "1"}',
        '{"entries": [["a", {"One": {"template": {"code": {}}}}]], "version": "1"}',
        '{"entries": [["a", {"One": {"template": {"code": 1}, "outputs": []}}]], "version": "1"}',
        '{"entries": []}',
    ],
    ids=lambda text: str(text)[:40].encode("ascii", "replace").decode(),
)  # fmt: skip
async def test_a_missing_or_broken_file_is_an_empty_library(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "index.json"
    if text is not None:
        file.write_bytes(text.encode(errors="surrogatepass"))
    with capture_logs() as logged:
        index = await Library(file).index()
    assert (dict(index.types), index.version) == ({}, "")
    assert index.problem.startswith("lfx's index of components cannot be read (")
    assert [entry["event"] for entry in logged] == ["components.index_unreadable"]
