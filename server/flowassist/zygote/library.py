"""What we use of lfx, imported once. Importing this module takes seconds: only the zygote does it.

Source: lfx 1.13, lfx/custom/eval.py, lfx/custom/utils.py, lfx/custom/custom_component/component.py.
"""

import pkgutil
import sys
from importlib.metadata import version

from langchain_core.tools import BaseTool, Tool
from lfx.custom.custom_component.component import Component
from lfx.custom.utils import build_custom_component_template
from lfx.custom.validate import create_class, extract_class_name
from lfx.inputs import inputs as kinds
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message

__all__ = [
    "INSTALLED",
    "VERSION",
    "BaseTool",
    "Component",
    "Data",
    "DataFrame",
    "Message",
    "Tool",
    "build_custom_component_template",
    "create_class",
    "extract_class_name",
    "kinds",
]

VERSION = version("lfx")

# seen from outside the boundary, so that a folder the child cannot read is not taken for a missing package
INSTALLED = frozenset(module.name for module in pkgutil.iter_modules()) | sys.stdlib_module_names
