"""The runtime of the static site, loading FLINT in a third of the time.

FLINT is one large library, and 41 small ones that need it. Pyodide's loader, made by Emscripten, copies the 16,000
names of the large one for each of the small ones, and after each looks through all names that were ever linked for
those that are still open. It is enough to look where the names are, and to keep the open ones. Nothing else changes:
the same names are found, in the same order, and one that is nowhere is the same error.
"""

from __future__ import annotations

_LOADER = "pyodide.asm.mjs"
# The names of the libraries that a library needs: asked in turn, the latest first, instead of copied into one object.
_SCOPE = {
    "localScope=global?null:{}": "localScope=global?null:[]",
    "Object.assign(localScope,dso.exports)": "localScope.unshift(dso.exports)",
    "Object.assign(localScope,exports)": "localScope.unshift(exports)",
    "resolved=localScope[sym]": "resolved=localScope.find(exports=>Object.hasOwn(exports,sym))?.[sym]",
}
# The names that are still open: kept apart, instead of sought among all.
_NEW = 'rtn=GOT[symName]=new WebAssembly.Global({value:"i32",mutable:true},-1)'
_END = "typeof value} (${value})`)}}}"
_OPEN = {
    "var GOT={};": "var GOT={};var openGOT=new Map;",
    _NEW: f"{_NEW};openGOT.set(symName,rtn)",
    "of Object.entries(GOT)){": "of openGOT){",
    _END: f"{_END}openGOT.clear()",
}


def faster(name: str, content: bytes) -> bytes:
    """Return a file of the runtime as the site has it: the loader changed, any other as it is.

    Raises
    ------
    ValueError
        If the loader is not the one that these changes are for; then look anew what it does, and whether it still
        needs them.

    Examples
    --------
    >>> faster("python_stdlib.zip", b"PK")
    b'PK'
    >>> faster("pyodide.asm.mjs", b"another")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: pyodide.asm.mjs has 'localScope=global?null:{}' 0 times instead of once; see ...
    """
    if name != _LOADER:
        return content
    text = content.decode("utf-8")
    for old, new in (_SCOPE | _OPEN).items():
        if text.count(old) != 1:
            raise ValueError(
                f"{name} has {old!r} {text.count(old)} times instead of once; see d20kit/launch/site_runtime.py"
            )
        text = text.replace(old, new)
    return text.encode("utf-8")
