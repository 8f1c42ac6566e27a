"""A release is published by the index's trust in this workflow, and only after its wheel was tried."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from d20kit import __version__

ROOT = Path(__file__).parent.parent.parent
CHANGELOG = ROOT / ".github" / "CHANGELOG.md"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text("utf-8"))
    return loaded


def test_the_version_has_its_part_of_the_changelog() -> None:
    """The release stops where the changelog says nothing about its version; the newest comes first."""
    heads = re.findall(r"^## (\S+)$", CHANGELOG.read_text("utf-8"), re.MULTILINE)
    assert heads[0] == __version__
    assert len(heads) == len(set(heads))


def test_notes_of_a_release_are_its_part(tmp_path: Path) -> None:
    """The command of the workflow cuts out one version: neither its neighbours nor nothing."""
    run = next(step["run"] for step in read("release.yml")["jobs"]["announce"]["steps"] if "awk" in step.get("run", ""))
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0\n\nnew\n\n## 0.1.0\n\nfirst\n")
    cut = next(line for line in run.splitlines() if line.startswith("awk"))
    env = {"PATH": "/usr/bin:/bin", "GITHUB_REF_NAME": "v0.2.0"}
    subprocess.run(["bash", "-c", cut], cwd=tmp_path, env=env, check=True)
    assert (tmp_path / "notes.md").read_text().split() == ["new"]


def test_only_a_tried_wheel_is_published() -> None:
    """Publishing waits for the installs, has an environment to be approved in, and asks for no password."""
    jobs = read("release.yml")["jobs"]
    assert (jobs["publish"]["needs"], jobs["install"]["needs"]) == ("install", "build")
    assert jobs["publish"]["environment"] == "release"
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert "secrets." not in text
    assert "password" not in text.replace("no password is kept", "")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_rights_are_the_least(path: Path) -> None:
    """Only the job that publishes may speak for the project, and none may write that need not."""
    workflow = read(path.name)
    assert workflow["permissions"] == {"contents": "read"}
    rights = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    if path.name == "release.yml":
        assert rights == {"publish": {"id-token": "write"}, "announce": {"contents": "write"}}
