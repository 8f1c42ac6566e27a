"""The fault matrix: what can go wrong around the kit, what must hold then, and the test that shows it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fault:
    """One line of the matrix; ``test`` is a pytest node id without parameters, all of which count."""

    fault: str
    doing: str
    holds: str
    test: str

    def exists(self) -> bool:
        """Return whether there is a test of that name.

        >>> MATRIX[0].exists(), Fault("", "", "", "tests/faults/test_saving.py::test_nothing").exists()
        (True, False)
        """
        file, _colons, name = self.test.partition("::")
        if not (ROOT / file).is_file():
            return False
        module = ast.parse((ROOT / file).read_text("utf-8"))
        return any(isinstance(node, ast.FunctionDef) and node.name == name for node in module.body)


_SAVING, _SET_UP, _WORLD = "tests/faults/test_saving.py", "tests/faults/test_set_up.py", "tests/faults/test_world.py"
_SOAK, _ALONE, _SAFE = "tests/faults/test_soak.py", "tests/faults/test_lab_alone.py", "tests/faults/test_safe_code.py"
_CLASS, _INERT = "tests/browser/test_faults.py", "tests/browser/test_faults_inert.py"
_LESSONS, _ROOM = "tests/browser/test_lessons.py", "tests/browser/test_classroom.py"
_FILE, _ENV = "tests/core/battle/test_encounter_file.py", "tests/launch/test_environment.py"
_LAB, _PAGES, _SITE = "tests/launch/test_lab.py", "tests/launch/test_site_pages.py", "tests/launch/test_site.py"
_PROCESS, _COPIES = "tests/launch/test_process.py", "tests/launch/test_lab_lessons.py"
_FREED = "tests/widgets/test_freed.py"

MATRIX = (
    # The kernel and the page.
    Fault(
        "kernel killed (SIGKILL)",
        "drags a slider",
        "one whole table stays and moves, dead sliders say so, running the cell brings all back",
        f"{_CLASS}::test_a_kernel_killed_in_the_midst_of_a_drag",
    ),
    Fault(
        "kernel gone",
        "moves the main slider",
        "every position is looked up in the page",
        f"{_LESSONS}::test_main_slider_needs_no_kernel",
    ),
    Fault(
        "page loaded again",
        "is in the midst of a lesson",
        "the explorer comes back as it was left, and works",
        f"{_CLASS}::test_a_page_loaded_again_shows_what_was_there",
    ),
    Fault(
        "one notebook in two tabs",
        "moves sliders in both",
        "both tell one story; closing one harms nothing",
        f"{_CLASS}::test_two_tabs_on_one_notebook",
    ),
    # Saving an encounter.
    Fault(
        "disk full, read-only or broken at any step",
        "saves an encounter",
        "the old file to the last byte, no litter, a sentence",
        f"{_SAVING}::test_a_refusal_at_any_step_costs_nothing",
    ),
    Fault(
        "disk full, for real",
        "saves an encounter",
        "the old file to the last byte, no litter, a sentence",
        f"{_SAVING}::test_a_disk_that_is_really_full",
    ),
    Fault(
        "quota ends within the file",
        "saves an encounter",
        "the old file to the last byte, no litter, a sentence",
        f"{_SAVING}::test_a_file_that_may_not_grow_is_not_half_written",
    ),
    Fault(
        "read-only folder",
        "saves an encounter",
        "the old file to the last byte, no litter, a sentence",
        f"{_SAVING}::test_a_read_only_folder_is_a_sentence",
    ),
    Fault(
        "crash between write and rename, and at five other moments",
        "saves an encounter",
        "the old or the new file, whole; it can be saved again",
        f"{_SAVING}::test_a_crash_leaves_one_whole_encounter",
    ),
    Fault(
        "Ctrl-C while the disk is at work",
        "saves an encounter",
        "the old file to the last byte, no litter",
        f"{_SAVING}::test_ctrl_c_in_the_midst_costs_nothing",
    ),
    Fault(
        "two save to one file at once",
        "saves, and loads meanwhile",
        "who reads has one of the two, whole",
        f"{_SAVING}::test_who_reads_meanwhile_reads_one_whole_encounter",
    ),
    Fault(
        "disk full",
        "saves from the page",
        "a sentence below the table; the encounter is still there",
        f"{_SAVING}::test_the_player_says_that_it_could_not_save",
    ),
    Fault(
        "a policy that no file can hold",
        "saves an encounter",
        "the old file to the last byte, no litter, a sentence",
        f"{_FILE}::test_a_failed_write_leaves_the_old_file_whole",
    ),
    Fault(
        "disk full",
        "exports a page",
        "the old page stays until the new one is whole",
        f"{_PAGES}::test_an_old_page_stays_until_the_new_one_is_whole",
    ),
    Fault(
        "build stopped or failed",
        "builds the site again",
        "the old site stays whole",
        f"{_SITE}::test_a_half_built_site_never_replaces_a_whole_one",
    ),
    # Setting up.
    Fault(
        "set-up killed (SIGKILL) at six moments",
        "starts the lab for the first time",
        "the next start finishes it; nothing is taken for somebody else's",
        f"{_SET_UP}::test_a_set_up_that_is_killed_is_finished_by_the_next_start",
    ),
    Fault(
        "set-up interrupted (SIGINT) at four moments",
        "starts the lab for the first time",
        "it says what to do; the next start finishes it",
        f"{_SET_UP}::test_a_set_up_that_is_interrupted_says_so_and_is_finished",
    ),
    Fault(
        "renewal killed",
        "updates the kit",
        "the next start finishes it",
        f"{_SET_UP}::test_a_renewal_that_is_killed_is_finished",
    ),
    Fault(
        "installer lives on after kill -9",
        "starts again at once",
        "the second start waits for it",
        f"{_ENV}::test_a_start_waits_for_the_installer_of_one_that_was_killed",
    ),
    Fault(
        "two starts at once",
        "starts the lab twice",
        "one environment, made once",
        f"{_ENV}::test_two_starts_at_once_make_one_environment",
    ),
    Fault(
        "broken .venv: half installed, no interpreter, base or package, another Python",
        "starts the lab",
        "it is made anew",
        f"{_ENV}::test_broken_environment_is_made_anew",
    ),
    Fault(
        "stray .venv: a file, a folder, somebody's own environment",
        "starts the lab",
        "it is kept under another name, which is said",
        f"{_ENV}::test_what_is_not_ours_is_moved_aside",
    ),
    Fault(
        "empty .venv",
        "starts the lab",
        "it is used",
        f"{_ENV}::test_empty_folder_is_used",
    ),
    Fault(
        "lessons of one's own in the way",
        "starts an installed kit",
        "no file is written over",
        f"{_COPIES}::test_work_is_kept_and_named",
    ),
    Fault(
        "Ctrl-C, kill, closed terminal",
        "stops a command",
        "nothing that it started goes on running",
        f"{_PROCESS}::test_ctrl_c_leaves_nothing_running",
    ),
    # The machine around it.
    Fault(
        "clock in 1970, 2038 or 2999, and set back while running",
        "fights, explains, saves, loads, asks the doctor",
        "to the letter what the right clock gives",
        f"{_WORLD}::test_a_wrong_clock_changes_nothing",
    ),
    Fault(
        "clock set while something waits",
        "does anything",
        "nothing asks for the time of day",
        f"{_WORLD}::test_nothing_asks_for_the_time_of_day",
    ),
    Fault(
        "files dated 1970 or far ahead",
        "starts the lab",
        "contents decide, not dates",
        f"{_WORLD}::test_files_of_another_time_are_neither_old_nor_new",
    ),
    Fault(
        "LANG=tr_TR.UTF-8, id_ID.UTF-8, C",
        "fights, explains, saves, loads, asks the doctor",
        "to the letter what any other machine gives",
        f"{_WORLD}::test_the_language_of_the_machine_changes_no_number",
    ),
    Fault(
        "C without UTF-8",
        "saves names in any letters",
        "files are UTF-8; a name of a file that cannot be is refused in a sentence",
        f"{_WORLD}::test_a_machine_of_bytes_saves_the_same_names",
    ),
    Fault(
        "LANG of another language",
        "starts anything",
        "Indonesian where the machine speaks it, else English",
        f"{_WORLD}::test_the_kit_speaks_the_language_of_the_machine",
    ),
    # Long use.
    Fault(
        "hours of random use",
        "moves everything there is, on every widget",
        "no blocks of memory stay behind; the long run is python -m tests.faults.soak",
        f"{_SOAK}::test_random_moves_leave_no_blocks_behind",
    ),
    Fault(
        "cells run again and again",
        "closes and builds explorers",
        "every one is freed",
        f"{_FREED}::test_a_closed_explorer_is_freed",
    ),
    # What others wrote.
    Fault(
        "names that are scripts",
        "fights them in Lab",
        "names are names: on stage, in table, picture and log",
        f"{_ROOM}::test_hostile_names_are_shown_literally",
    ),
    Fault(
        "titles and labels that are scripts",
        "opens them in Lab",
        "characters, and nothing else",
        f"{_LESSONS}::test_titles_and_labels_stay_text",
    ),
    Fault(
        "names, prose and outputs that are scripts",
        "opens an exported page",
        "nothing runs, nothing becomes an element",
        f"{_INERT}::test_nothing_in_an_exported_page_runs",
    ),
    Fault(
        "titles of lessons that are scripts",
        "opens the first page of the site",
        "nothing runs, nothing becomes an element",
        f"{_INERT}::test_nothing_on_the_first_page_of_the_site_runs",
    ),
    Fault(
        "a lesson with markup",
        "exports a page",
        "nothing in prose or outputs can run",
        f"{_PAGES}::test_nothing_in_prose_or_outputs_can_run",
    ),
    Fault(
        "code that would run a text",
        "reads the sources",
        "no eval, exec, pickle, yaml or HTML from data, but for a list with reasons",
        f"{_SAFE}::test_nothing_runs_what_somebody_wrote",
    ),
    # The lab and its neighbours.
    Fault(
        "a network of strangers",
        "starts the lab",
        "server and kernels listen to 127.0.0.1 alone, and ask for the key",
        f"{_ALONE}::test_nobody_else_can_reach_the_lab",
    ),
    Fault(
        "output that others read",
        "starts the lab into a log",
        "the key is in a file of one's own, not in the log",
        f"{_LAB}::test_the_key_is_printed_on_a_terminal_alone",
    ),
    Fault(
        "a server that fails",
        "shows its last words to others",
        "the key is not in them",
        f"{_LAB}::test_last_words_of_a_server_do_not_tell_the_key",
    ),
    Fault(
        "others on the machine",
        "starts the lab",
        "the key is not on the server's command line",
        f"{_LAB}::test_token_is_not_on_the_command_line",
    ),
)
