"""The stubs and the module say the same."""

import ast
import pathlib

import pto_tools
from pto_tools import _native

STUBS = pathlib.Path(pto_tools.__file__).with_name("_native.pyi")


def members(body):
    names = {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return names | {node.target.id for node in body if isinstance(node, ast.AnnAssign)}


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


def test_every_name_is_in_the_stubs_and_exported():
    tree = ast.parse(STUBS.read_text())
    names = members(tree.body)
    assert names - {"__version__"} == public(_native)
    assert set(pto_tools.__all__) > names
    assert all(hasattr(pto_tools, name) for name in pto_tools.__all__)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not issubclass(getattr(_native, node.name), Exception):
            written = {name for name in members(node.body) if not name.startswith("__")}
            assert written == public(getattr(_native, node.name)), node.name


def test_everything_is_documented():
    for node in ast.walk(ast.parse(STUBS.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            assert ast.get_docstring(node), node.name
    for name in pto_tools.__all__:
        thing = getattr(pto_tools, name)
        assert thing.__doc__, name
        if isinstance(thing, type) and thing.__module__.startswith("pto_tools._"):
            for method in public(thing):
                assert getattr(thing, method).__doc__, f"{name}.{method}"


def test_exceptions_have_the_bases_of_the_stubs():
    for node in ast.parse(STUBS.read_text()).body:
        if isinstance(node, ast.ClassDef) and node.bases:
            bases = [base.id for base in node.bases]
            assert [base.__name__ for base in getattr(_native, node.name).__bases__] == bases
