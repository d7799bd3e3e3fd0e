"""Which class of the code is the component, and which ones lfx takes for one."""

import ast
from dataclasses import dataclass

from flowassist.components.names import Names, lineage


@dataclass(frozen=True, slots=True)
class Classes:
    """`seen` by lfx, in their order; `unseen` ones derive from lfx's Component in a way that lfx does not notice."""

    seen: tuple[ast.ClassDef, ...]
    unseen: tuple[ast.ClassDef, ...]

    @property
    def chosen(self) -> ast.ClassDef | None:
        """The last one: what stands above it are its bases and helpers."""
        return (self.seen or self.unseen or (None,))[-1]


def component_classes(names: Names) -> Classes:
    seen: list[ast.ClassDef] = []
    for cls in names.classes.values():
        if _seen_by_lfx(cls, {one.name for one in seen}):
            seen.append(cls)
    unseen = [cls for cls in names.classes.values() if cls not in seen and _derives(cls, names)]
    return Classes(tuple(seen), tuple(unseen))


def _seen_by_lfx(cls: ast.ClassDef, components: set[str]) -> bool:
    """lfx 1.13 goes by the text of a base class that is a plain name: custom/validate.py, extract_class_name."""
    bases = [base.id for base in cls.bases if isinstance(base, ast.Name)]
    return any("Component" in base or "LC" in base or base in components for base in bases)


def _derives(cls: ast.ClassDef, names: Names) -> bool:
    return any(names.is_lfx_component(base) for one in lineage(cls, names) for base in one.bases)
