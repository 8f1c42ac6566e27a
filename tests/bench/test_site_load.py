"""The load test of the static site notices what does not arrive."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.bench.site_load import arrive, file_of, python_server, squeezed


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a site of two files, one of them larger than a piece that is read at once."""
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "index.html").write_text("<p>lesson</p>")
    (tmp_path / "big").write_bytes(bytes(1_000_000))
    return tmp_path


def test_a_class_gets_every_file_whole(site: Path) -> None:
    """Figures of files that came in part, or of the wrong files, would say nothing."""
    asked = ["/lab/?path=en/01.ipynb", "/big"]
    files = [(address, file_of(site, address).stat().st_size) for address in asked]
    with python_server(site) as port:
        came = asyncio.run(arrive(port, files, count=5))
    assert (len(came.visits), len(came.answers), came.failures) == (5, 10, {})
    assert came.megabytes == pytest.approx(5 * 1.000013)
    assert came.slow > 0


def test_what_is_missing_cut_short_or_refused_has_failed(site: Path) -> None:
    """A server that breaks under the load must not look like a fast one."""
    with python_server(site) as port:
        came = asyncio.run(arrive(port, [("/nowhere", 0), ("/big", 1_000_001), ("/big", 1_000_000)], count=2))
    assert came.failures.total() == 4
    assert came.failures["status 200, 1000000 of 1000001 bytes"] == 2
    gone = asyncio.run(arrive(port, [("/big", 1_000_000)], count=3))
    assert gone.failures == {"ConnectionRefusedError": 3}


def test_what_does_not_become_smaller_is_sent_as_it_is(tmp_path: Path) -> None:
    """A wheel is compressed already, and a server leaves it alone."""
    (tmp_path / "text").write_bytes(b"a" * 1_000_000)
    (tmp_path / "tiny").write_bytes(b"a")
    assert squeezed([tmp_path / "text"]) < 0.01
    assert squeezed([tmp_path / "tiny"]) == 1 / 1e6
