"""Tools from outside: an entry point's name, or `module:attribute`.

A package offers a tool by an entry point in the group `metaphorboost.tools`, as our own does:

    [project.entry-points."metaphorboost.tools"]
    hop = "tools.hop:hop_tool"

What is named may be a LangChain tool, a factory (its parameter is called `graph`, or is annotated
`MetaphorGraph`) that gives one, or a plain function with a docstring, which is wrapped.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from tools.declared import declared
from tools.errors import PluginError, ToolboxError, ToolFault

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from tools.knowledge import MetaphorGraph

__all__ = ["GROUP", "installed_tools", "load_tool"]

GROUP = "metaphorboost.tools"
#: Our own entry points.
_OWN = {"hop": "tools.hop:hop_tool"}
_SHAPES = (
    "a LangChain tool, a function with a docstring, or a factory that takes the graph and returns a tool"
)


def installed_tools() -> dict[str, str]:
    """Our own tools and those of installed packages, as name to `module:attribute`; nothing is imported.

    Raises:
        PluginError: if two packages declare one name for different things.
    """
    return dict(sorted(declared(GROUP, _OWN, "tool").items()))


def load_tool(spec: str, graph: MetaphorGraph) -> BaseTool:
    """Load a tool.

    Args:
        spec: `module:attribute`, or the name of an entry point.
        graph: handed to the attribute if it is a factory.

    Returns:
        The tool, ready to be bound to a model.

    Raises:
        PluginError: if it can't be found, imported or used as a tool; the message names the spec, the
            nearest names there are, and the way out.
    """
    name = spec.strip()
    value = name if ":" in name else _declared(name)
    module_name, _, path = value.partition(":")
    found: Any = _module(module_name, spec)
    for attribute in path.split("."):
        if not attribute or not hasattr(found, attribute):
            near = _near(attribute, [known for known in dir(found) if not known.startswith("_")])
            msg = f"{spec}: {module_name} has no {path or 'attribute named'}.{near}"
            raise PluginError(msg)
        found = getattr(found, attribute)
    return _blamed(_tool(found, spec, graph), spec)


def _blamed(tool: BaseTool, spec: str) -> BaseTool:
    """A tool whose bugs are called its own; `sys.exit` in it costs one sample, and not the process."""
    if isinstance(tool, StructuredTool):
        parts = {"func": tool.func, "coroutine": tool.coroutine}
        held = {name: _held(part, tool.name, spec) for name, part in parts.items() if part is not None}
        return tool.model_copy(update=held)
    copied = tool.model_copy()
    for name in ("_run", "_arun"):  # a class of its own: its methods are what LangChain calls
        object.__setattr__(copied, name, _held(getattr(copied, name), tool.name, spec))
    return copied


def _held(function: Callable[..., Any], tool: str, spec: str) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def aheld(*args: Any, **kwargs: Any) -> Any:
            with _blaming(tool, spec):
                return await function(*args, **kwargs)

        return aheld

    @functools.wraps(function)
    def held(*args: Any, **kwargs: Any) -> Any:
        with _blaming(tool, spec):
            return function(*args, **kwargs)

    return held


@contextmanager
def _blaming(tool: str, spec: str) -> Generator[None]:
    """Turn what a tool should not raise into a :class:`ToolFault`."""
    try:
        yield
    except SystemExit as error:
        raise ToolFault(tool, spec, "it tried to end the process") from error
    except (ToolException, ToolboxError):
        raise
    except Exception as error:
        if type(error).__module__ == "langgraph.errors":  # an interrupt, say: no fault
            raise
        raise ToolFault(tool, spec, f"{type(error).__name__}: {error}") from error


def _declared(name: str) -> str:
    known = installed_tools()
    if name in known:
        return known[name]
    listed = f"Installed tools: {', '.join(known)}; or give module:attribute."
    msg = f"{name or 'an empty name'}: no such tool.{_near(name, known)} {listed}"
    raise PluginError(msg)


def _module(name: str, spec: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            msg = f"{spec}: there is no module {error.name!r}. Is its folder on the Python path (PYTHONPATH)?"
        else:
            msg = f"{spec}: {name} needs the module {error.name!r}, which is not installed."
        raise PluginError(msg) from error
    except (TypeError, ValueError) as error:
        msg = f"{spec}: {name!r} is no module's name; give module:attribute, such as tools.hop:hop_tool."
        raise PluginError(msg) from error
    except Exception as error:
        msg = f"{spec}: importing {name} failed: {type(error).__name__}: {error}"
        raise PluginError(msg) from error


def _tool(found: Any, spec: str, graph: MetaphorGraph) -> BaseTool:
    if isinstance(found, BaseTool):
        return found
    if not callable(found) or (isinstance(found, type) and issubclass(found, BaseTool)):
        kind = (
            "a class of tools, not a tool; name an instance"
            if callable(found)
            else f"a {type(found).__name__}"
        )
        msg = f"{spec}: is {kind}. Expected {_SHAPES}."
        raise PluginError(msg)
    if _takes_graph(found):
        try:
            made: Any = found(graph)
        except Exception as error:
            msg = f"{spec}: the factory failed: {type(error).__name__}: {error}"
            raise PluginError(msg) from error
        if not isinstance(made, BaseTool):
            msg = f"{spec}: the factory returned {type(made).__name__}, not a LangChain tool."
            raise PluginError(msg)
        return made
    return _wrapped(found, spec)


def _wrapped(function: Callable[..., Any], spec: str) -> BaseTool:
    if not inspect.getdoc(function) or not inspect.isroutine(function):
        msg = (
            f"{spec}: has no docstring, so a model could not know what it is for. "
            "Write one, or call its parameter `graph` if it is a factory."
        )
        raise PluginError(msg)
    wrap: Any = StructuredTool.from_function
    if inspect.iscoroutinefunction(function):
        return wrap(coroutine=function)
    return wrap(function)


def _takes_graph(factory: Callable[..., Any]) -> bool:
    """Whether a callable's first parameter is the graph."""
    try:
        parameters = list(inspect.signature(factory).parameters.values())
    except (TypeError, ValueError):
        return False
    if not parameters:
        return False
    annotation = parameters[0].annotation
    named = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return parameters[0].name == "graph" or named.rpartition(".")[2] == "MetaphorGraph"


def _near(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    return f" Did you mean {' or '.join(close)}?" if close else ""
