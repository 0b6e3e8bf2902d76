"""Plug-ins: tools from module:attribute and from entry points."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from langchain_core.tools import BaseTool

from tools.errors import PluginError
from tools.knowledge import Edge, MetaphorGraph
from tools.plugins import GROUP, installed_tools, load_tool

GRAPH = MetaphorGraph([Edge("candle", "time", ground="burns down")])
MODULE = '''
from langchain_core.tools import tool

VALUE = 7

@tool
def ready(word: str) -> str:
    """Say a word."""
    return word

def plain(word: str, times: int = 2) -> str:
    """Repeat a word."""
    return word * times

async def later(word: str) -> str:
    """Say a word, later."""
    return word.upper()

def silent(word: str) -> str:
    return word

def made(graph):
    @tool
    def size() -> str:
        """How many nodes there are."""
        return str(len(graph))
    return size

def annotated(knowledge: "MetaphorGraph"):
    return made(knowledge)

def wrong(graph):
    return 7

class Box:
    inner = ready

Kind = type(ready)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "plugged.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plugged", raising=False)
    return tmp_path


def declare(folder: Path, package: str, **points: str) -> None:
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8"
    )
    lines = [f"[{GROUP}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "name", "arguments", "answer"),
    [
        ("plugged:ready", "ready", {"word": "hm"}, "hm"),
        ("plugged:Box.inner", "ready", {"word": "hm"}, "hm"),
        ("plugged:plain", "plain", {"word": "hm"}, "hmhm"),
        (" plugged:made ", "size", {}, "2"),
        ("plugged:annotated", "size", {}, "2"),
    ],
)
def test_what_may_be_plugged_in(spec: str, name: str, arguments: dict[str, object], answer: str) -> None:
    tool = load_tool(spec, GRAPH)
    assert isinstance(tool, BaseTool)
    assert tool.name == name
    assert tool.description
    assert tool.invoke(arguments) == answer


@pytest.mark.usefixtures("folder")
async def test_an_async_function_is_wrapped() -> None:
    tool = load_tool("plugged:later", GRAPH)
    assert tool.description == "Say a word, later."
    assert await tool.ainvoke({"word": "hm"}) == "HM"


def test_our_own_tool() -> None:
    tool = load_tool("tools.hop:hop_tool", GRAPH)
    assert tool.name == "explore_metaphors"
    assert tool.invoke({"concepts": ["candle"]}) == "candle -> time (burns down)"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("plugged:redy", "plugged:redy: plugged has no redy. Did you mean ready?"),
        ("plugged:", "plugged:: plugged has no attribute named."),
        ("plugged:Box.innr", "plugged has no Box.innr. Did you mean inner?"),
        ("pluged:ready", "pluged:ready: there is no module 'pluged'"),
        ("plugged.deeper:ready", "there is no module 'plugged.deeper'"),
        (":ready", ":ready: '' is no module's name"),
        (".plugged:ready", "'.plugged' is no module's name"),
        ("plugged:VALUE", "plugged:VALUE: is a int. Expected a LangChain tool, a function"),
        ("plugged:Kind", "plugged:Kind: is a class of tools, not a tool"),
        ("plugged:Box", "plugged:Box: has no docstring"),
        ("plugged:silent", "plugged:silent: has no docstring"),
        ("plugged:wrong", "plugged:wrong: the factory returned int, not a LangChain tool"),
    ],
)
def test_what_may_not(spec: str, fault: str) -> None:
    with pytest.raises(PluginError) as caught:
        load_tool(spec, GRAPH)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (
            "import no_such_module_at_all",
            "broken needs the module 'no_such_module_at_all', which is not installed",
        ),
        ("1 / 0", "importing broken failed: ZeroDivisionError: division by zero"),
        ("def (", "importing broken failed: SyntaxError"),
    ],
)
def test_a_module_that_can_not_be_imported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, fault: str
) -> None:
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    (folder / "broken.py").write_text(source, encoding="utf-8")
    with pytest.raises(PluginError, match=f"broken:tool: {fault}"):
        load_tool("broken:tool", GRAPH)


def test_entry_points_are_listed_without_importing(folder: Path) -> None:
    declare(folder, "plugged-tools", echo="plugged:ready", hourglass="no_such_module:tool")
    found = installed_tools()
    assert found["echo"] == "plugged:ready"
    assert found["hourglass"] == "no_such_module:tool"
    assert list(found) == sorted(found)
    assert "plugged" not in sys.modules


def test_a_bare_name_loads_by_entry_point(folder: Path) -> None:
    declare(folder, "plugged-tools", echo="plugged:ready", hop_again="tools.hop:hop_tool")
    assert load_tool("echo", GRAPH).name == "ready"
    assert load_tool("hop_again", GRAPH).name == "explore_metaphors"
    with pytest.raises(
        PluginError, match=r"ecko: no such tool\. Did you mean echo\? Installed tools: echo, hop, hop_again"
    ):
        load_tool("ecko", GRAPH)


def test_a_checkout_that_was_never_installed_has_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.declared.entry_points", lambda group: ())
    assert installed_tools() == {"hop": "tools.hop:hop_tool"}
    assert load_tool("hop", GRAPH).name == "explore_metaphors"
    with pytest.raises(
        PluginError, match=r"hopp: no such tool\. Did you mean hop\? Installed tools: hop; or give"
    ):
        load_tool("hopp", GRAPH)


def test_a_name_that_two_packages_declare(folder: Path) -> None:
    declare(folder, "one", echo="plugged:ready")
    declare(folder, "two", echo="plugged:plain")
    with pytest.raises(PluginError, match="'echo' is declared twice"):
        load_tool("echo", GRAPH)


def test_the_same_declaration_twice_is_one(folder: Path) -> None:
    declare(folder, "one", echo="plugged:ready")
    declare(folder, "two", echo="plugged:ready")
    assert load_tool("echo", GRAPH).name == "ready"


def test_our_own_entry_points_are_declared(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.declared.entry_points", lambda group: ())
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"][GROUP] == installed_tools()
