"""The exact solver of battles, part by part; :mod:`d20kit.battle.exact` is its public face."""
