"""How the kit starts: it makes its own environment, then runs JupyterLab or the tests in it.

Everything here uses the standard library only, since it runs before anything is installed.
"""
