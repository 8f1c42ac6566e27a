"""No code of the kit runs, unpickles or puts into a page what somebody wrote; the few exceptions have their reasons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from d20kit.launch.checkout import PACKAGE

ROOT = PACKAGE.parent
PYTHON = [path for place in ("d20kit/**", "widgets/**", "notebooks") for path in sorted(ROOT.glob(f"{place}/*.py"))]
# plotly.js is somebody else's, pinned and shipped as it is.
PAGES = [
    path
    for pattern in ("widgets/**/*.js", "d20kit/**/*.js", "d20kit/**/*.html", "binder/lite/*.html", "binder/lite/*.mjs")
    for path in sorted(ROOT.glob(pattern))
    if not path.name.startswith("plotly-")
]

# What is called by these names runs a text as code.
RUNS = {"eval", "exec", "compile", "__import__", "execfile"}
# These build objects from bytes by calling whatever the bytes name, or are an easy way to it.
BUILDS = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "jsonpickle", "yaml", "ruamel"}
# Of a module: what runs a text as code, or hands it to a shell.
OF_MODULES = {
    ("os", "system"),
    ("os", "popen"),
    ("subprocess", "getoutput"),
    ("subprocess", "getstatusoutput"),
    ("sympy", "parse_expr"),
    ("sympy", "lambdify"),
    ("sympy", "S"),
    ("numpy", "load"),
    ("ipywidgets", "HTML"),
    ("ipywidgets", "HTMLMath"),
    ("ipywidgets", "Output"),
}
# In a page: what reads a text as HTML, or as a script.
IN_PAGES = re.compile(
    r"\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write|\bcreateContextualFragment\b|\bsrcdoc\b"
    r"|\beval\(|\bnew Function\b|\bFunction\(|\bsetHTMLUnsafe\b|\bparseFromString\([^)]*html"
    r"|\bset(?:Timeout|Interval)\(\s*['\"`]|\bimport\(|\bjavascript:|\bon\w+=",
    re.IGNORECASE,
)
# file, what was found in it -> why it may stand there
ALLOWED = {
    (
        "d20kit/launch/pages.js",
        "import(",
    ): "the scripts of the explorers, which came with the kit and not with a lesson",
    ("widgets/d20widgets/static/loading.js", "import("): "plotly.js, the bytes that the kit itself ships",
    ("binder/lite/compile.mjs", "import("): "the pinned runtime, when the site is built; no page loads this file",
    ("d20kit/exercises/symbolic.py", "sympify"): "of numbers only: the values of a rule, never what was typed",
    ("d20kit/algebra.py", "sympify"): "of numbers and symbols that a rule was called with",
    ("d20kit/chains.py", "sympify"): "of whole numbers and polynomials that the kit has computed",
}


def in_python(path: Path) -> Iterator[str]:
    """Yield what a module uses of all that runs, unpickles or hands on a text."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in RUNS:
                yield name
            case ast.Import(names=names):
                yield from (one.name for one in names if one.name.partition(".")[0] in BUILDS)
            case ast.ImportFrom(module=str(module), names=names):
                root = module.partition(".")[0]
                yield from (module for _once in "1" if root in BUILDS)
                yield from (one.name for one in names if (root, one.name) in OF_MODULES)
                yield from (one.name for one in names if one.name in ("sympify", "parse_expr", "lambdify"))
            case ast.Attribute(value=ast.Name(id=module), attr=name) if (module, name) in OF_MODULES:
                yield f"{module}.{name}"
            case ast.Attribute(attr="sympify"):
                yield "sympify"
            case ast.keyword(arg="shell" | "allow_pickle"):
                yield str(node.arg)


def in_page(path: Path) -> Iterator[str]:
    """Yield what a script or a page uses of all that reads a text as HTML or as a script; comments may name it."""
    text = re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    yield from IN_PAGES.findall(text)


def found() -> set[tuple[str, str]]:
    """Return every use in the kit: the file, and what is used."""
    pairs = [(path, use) for path in PYTHON for use in in_python(path)]
    pairs += [(path, use) for path in PAGES for use in in_page(path)]
    return {(path.relative_to(ROOT).as_posix(), use) for path, use in pairs}


def test_nothing_runs_what_somebody_wrote() -> None:
    """Every use is on the list above with its reason, and the list holds nothing that is not there any more."""
    assert len(PYTHON) > 150
    assert len(PAGES) > 20
    assert found() == set(ALLOWED)
    assert all(len(reason) > 20 for reason in ALLOWED.values())


@pytest.mark.parametrize(
    ("code", "use"),
    [
        ("eval('1')", "eval"),
        ("def f():\n    exec(text)", "exec"),
        ("import pickle", "pickle"),
        ("from yaml import load", "yaml"),
        ("import subprocess\nsubprocess.run(text, shell=True)", "shell"),
        ("import os\nos.system(text)", "os.system"),
        ("import sympy\nsympy.sympify(text)", "sympify"),
        ("from sympy import lambdify", "lambdify"),
        ("import ipywidgets\nipywidgets.HTML(name)", "ipywidgets.HTML"),
        ("from ipywidgets import HTML", "HTML"),
        ("import numpy\nnumpy.load(f, allow_pickle=True)", "allow_pickle"),
    ],
)
def test_a_new_use_in_python_would_be_found(tmp_path: Path, code: str, use: str) -> None:
    """The test above could not fail if these were not seen."""
    (tmp_path / "new.py").write_text(code)
    assert use in set(in_python(tmp_path / "new.py"))


@pytest.mark.parametrize(
    "code",
    [
        "node.innerHTML = name;",
        "node.insertAdjacentHTML('beforeend', name);",
        "document.write(name);",
        "new DOMParser().parseFromString(text, 'text/html');",
        "new Function(text)();",
        "eval(text);",
        "setTimeout('run()', 5);",
        "await import(url);",
        '<img src="x" onerror="run()">',
    ],
)
def test_a_new_use_in_a_page_would_be_found(tmp_path: Path, code: str) -> None:
    """The test above could not fail if these were not seen."""
    (tmp_path / "new.js").write_text(f"/* innerHTML is not used */ // nor eval(\n{code}\n")
    assert len(list(in_page(tmp_path / "new.js"))) == 1
