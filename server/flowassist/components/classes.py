"""Which class of the code is the component, and which ones lfx takes for one."""

import ast
from collections.abc import Collection
from dataclasses import dataclass

from flowassist.components.names import Names


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
    seen: dict[str, ast.ClassDef] = {}
    derived: dict[str, ast.ClassDef] = {}
    for cls in names.classes.values():
        if _seen_by_lfx(cls, seen):
            seen[cls.name] = cls
        if _derives(cls, derived, names):
            derived[cls.name] = cls
    return Classes(tuple(seen.values()), tuple(cls for name, cls in derived.items() if name not in seen))


def _seen_by_lfx(cls: ast.ClassDef, components: Collection[str]) -> bool:
    """lfx 1.13 goes by the text of a base class that is a plain name: custom/validate.py, extract_class_name."""
    bases = [base.id for base in cls.bases if isinstance(base, ast.Name)]
    return any("Component" in base or "LC" in base or base in components for base in bases)


def _derives(cls: ast.ClassDef, derived: Collection[str], names: Names) -> bool:
    """Python has a class's bases above it, so they are known already."""
    inherited = any(isinstance(base, ast.Name) and base.id in derived for base in cls.bases)
    return inherited or any(names.is_lfx_component(base) for base in cls.bases)
