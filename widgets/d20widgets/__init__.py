"""d20widgets: the pictures. One explorer a topic, to be dragged in a notebook and read without one."""

from d20widgets.attack import AttackExplorer
from d20widgets.hit_points import HitPointExplorer

__all__ = ["AttackExplorer", "HitPointExplorer"]
