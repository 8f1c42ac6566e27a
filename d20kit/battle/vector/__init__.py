"""Many battles at once, in NumPy arrays: the engine of :mod:`d20kit.battle.engine`, module by module.

Everything here holds a whole block of battles. Two indices run through all of it: ``battles``, the numbers of the
battles that something happens in, and, in step with it, ``who`` or ``targets``, the combatant it happens to. What a
face, a hit point or a save means is not said again: the tables of :mod:`d20kit.battle.vector.roster` are filled by
asking the rules themselves.
"""
