"""The files that a command line says its output goes to."""

import pytest

from gitmem.capture.outputs import named_outputs


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("pytest -q > out.txt 2>&1; cat out.txt", ["out.txt"]),
        ("pytest &> all.log", ["all.log"]),
        ("pytest 2>> err.log >> out.log", ["err.log", "out.log"]),
        ("cd sub && pytest 2>&1 | tee -a 'my log.txt'", ["sub/my log.txt"]),
        ("npm test -- --outputFile=out/r.json", ["out/r.json"]),
        ("pytest --junit-xml build/r.xml && echo ok", ["build/r.xml"]),
        # What only the shell can name, and what is none.
        ("pytest >&2 2>/dev/null", []),
        ("pytest > $LOG", []),
        ("pytest > ../out.txt", []),
        ("pytest -k 'a > b'", []),
        # Edits in the same line.
        ("cat > notes.txt <<END\nhi\nEND\npytest > r.log", ["r.log"]),
        ("echo hi > notes.txt && pytest", []),
        ("python make.py > shop.py && pytest", []),
    ],
)
def test_files_that_a_line_names(line: str, files: list[str]) -> None:
    assert named_outputs(["bash", "-c", line], ".") == tuple(files)


def test_an_option_of_a_plain_command_names_one_too() -> None:
    assert named_outputs(["pytest", "--junitxml", "r.xml"], "web") == ("web/r.xml",)
