"""Every setting of a run as a file that ``--config`` reads."""

from __future__ import annotations

from typing import Any

import yaml

from evals.spec import RunSpec

__all__ = ["config_text"]


def config_text(spec: RunSpec) -> str:
    """YAML that gives the same settings when it is read; those of the context stand beside the run's."""
    tree = spec.model_dump(mode="json")
    over, context = tree.pop("over"), tree.pop("context")
    del context["calls"]["concurrency"]  # follows the run's
    settings: dict[str, Any] = {"graph": tree.pop("graph"), "model": context.pop("model"), **tree, **context}
    for name in ("graph", "context.model"):
        if name in over:
            settings[name.removeprefix("context.")] = over.pop(name)
    if over:
        settings["over"] = {name.removeprefix("context."): values for name, values in over.items()}
        for name in over:
            _forget(settings, name.removeprefix("context."))
    return yaml.safe_dump(settings, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)


def _forget(settings: dict[str, Any], name: str) -> None:
    """Leave out a setting whose values are listed elsewhere."""
    *above, last = name.split(".")
    for part in above:
        settings = settings[part]
    settings.pop(last, None)
