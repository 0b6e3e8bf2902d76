"""What can go wrong with a tool, told apart by who has to act.

    ToolboxError
    ├── FrameError       a video or frame folder that can't be read: names the file and the fault
    ├── KnowledgeError   a knowledge graph that is missing or malformed: names the file and the node
    └── PluginError      a plug-in that can't be loaded: names the spec and the way out
        └── ToolFault    a tool of one's own that raised what it should not: names it and what it raised

A message meant for the *model* is no error of these: tools raise LangChain's ``ToolException`` for it, and it
goes back as a tool message (see ``tools.hop.HopError``). Everything else that a tool of ours raises is a bug
and surfaces as one.
"""

from __future__ import annotations

__all__ = ["FrameError", "KnowledgeError", "PluginError", "ToolFault", "ToolboxError"]


class ToolboxError(Exception):
    """An input of the user's that a tool can't work with."""


class FrameError(ToolboxError):
    """A video or a folder of frames that can't be read.

    Attributes:
        path: the file or folder, as it was given.
        fault: what is wrong with it, in a few words.
    """

    def __init__(self, path: object, fault: str) -> None:
        super().__init__(f"{path}: {fault}")
        self.path = str(path)
        self.fault = fault

    def __reduce__(self) -> tuple[type[FrameError], tuple[str, str]]:
        """Pickle by arguments, since frames are decoded in another process."""
        return type(self), (self.path, self.fault)


class KnowledgeError(ToolboxError):
    """A knowledge graph that is missing, malformed or empty."""


class PluginError(ToolboxError):
    """A plug-in that can't be imported, or is not what it is used as."""


class ToolFault(PluginError):  # noqa: N818 - whose fault it is
    """A tool of one's own raised what it should not: a bug in it, and not in the project."""

    def __init__(self, tool: str, spec: str, told: str) -> None:
        super().__init__(
            f"the tool {tool!r} ({spec}) failed: {told}. That is a bug in the tool: mend it, or let it raise "
            "langchain_core.tools.ToolException with words that help the model."
        )
