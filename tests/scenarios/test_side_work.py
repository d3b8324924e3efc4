"""Other work, other tests and other causes beside a failure are no part of its fix."""

from tests.scenarios.desk import Desk, fact, needs


def test_a_panic_that_the_code_caught_is_no_failure_of_another_test(desk: Desk) -> None:
    """A stack that the code printed in a passing test got an error, and the other test's fix."""
    needs("go")
    desk.begin(
        go_mod="module x\n\ngo 1.21\n",
        x_go='package x\n\nimport (\n\t"fmt"\n\t"runtime/debug"\n)\n\n'
        "func Safe(f func()) (ok bool) {\n\tdefer func() {\n"
        '\t\tif r := recover(); r != nil {\n\t\t\tfmt.Println("panic:", r)\n'
        "\t\t\tdebug.PrintStack()\n\t\t}\n\t}()\n\tf()\n\treturn true\n}\n\n"
        "func Next(n int) int {\n\treturn n + 2\n}\n",
        x_test_go='package x\n\nimport "testing"\n\nfunc TestSafe(t *testing.T) {\n'
        '\tif Safe(func() { panic("boom") }) {\n\t\tt.Error("not caught")\n\t}\n}\n\n'
        "func TestNext(t *testing.T) {\n\tif got := Next(1); got != 2 {\n"
        '\t\tt.Errorf("Next(1) is %d", got)\n\t}\n}\n',
    )
    desk.red("go test ./...")
    assert "panic: boom" not in desk.said.partition("gitmem: ")[2]
    desk.swap("x.go", "n + 2", "n + 1")
    desk.green("go test ./...")
    desk.learnt(fact("Next(1) is 3", "-return n + 2", "+return n + 1"))
