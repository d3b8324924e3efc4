"""Made-up fixes, and what people and tools do to fixed code afterwards.

A case is a small program before and after a fix, and the files that a later change makes of it.
Names and numbers are drawn, so that no two programs are the same.
"""

import difflib
import random
import re
from collections.abc import Callable
from typing import Final, NamedTuple

Files = dict[str, str]


class Program(NamedTuple):
    """A module of three functions; the second one is fixed.

    Attributes:
        path: its file.
        parts: the functions before the fix, a text each.
        fixed: the second function after it.
        name: of the second function.
        variable: a name that occurs in it.

    """

    path: str
    parts: tuple[str, str, str]
    fixed: str
    name: str
    variable: str

    @property
    def before(self) -> str:
        return "\n".join(self.parts)

    @property
    def after(self) -> str:
        return self.with_second(self.fixed)

    def with_second(self, text: str) -> str:
        return "\n".join((self.parts[0], text, self.parts[2]))


_WORDS: Final = tuple(
    "cart order price user token queue parser buffer stream account ledger session batch index"  # noqa: SIM905  read as words
    " report widget channel packet record filter worker bucket shard cursor lease quota".split()
)


def program(rng: random.Random) -> Program:
    """Make a program with a fix of one of eight kinds, in Python or JavaScript."""
    words = rng.sample(_WORDS, 8)
    return (_python if rng.random() < 0.6 else _javascript)(rng, words)


def _python(rng: random.Random, words: list[str]) -> Program:
    a, b, c, d, e, f, g, h = words
    n = rng.randint(2, 90)
    head = f"def {a}_{b}({c}):\n    {d} = {c}.{e}({n})\n    return {d} + {n + 1}\n\n"
    tail = f"def {f}_{g}({h}):\n    for {a} in {h}:\n        yield {a}.{b}\n\n"
    lines = [
        f"def {c}_{d}({e}, {f}):",
        f"    {g} = {e}.{h}",
        f"    {a} = {g} * {f}",
        f"    {b} = {a} - {n}",
        f"    return {b} / {f}",
    ]
    fixed = list(lines)
    kind = rng.randrange(8)
    if kind == 0:
        fixed[2:2] = [f"    if {g} is None:", "        return 0"]
    elif kind == 1:
        fixed[1] = f"    {g} = {e}.{h} or {n}"
    elif kind == 2:
        fixed[4] = f"    return {b} / max({f}, 1)"
    elif kind == 3:
        lines.insert(3, f"    {e}.{h} = {g}.{c}({f}, {n})")
    elif kind == 4:
        fixed[3] = f"    {b} = {a} - {n} + len({e}.{c})"
    elif kind == 5:
        fixed[1] = f'    {g} = {e}.get("{h}", {n})'
    elif kind == 6:
        fixed[1:5] = [
            "    try:", f"        {g} = {e}.{h}", "    except AttributeError:",
            f"        {g} = {n}", *lines[2:5],
        ]  # fmt: skip
    else:
        fixed[0] = f"def {c}_{d}({e}, {f}={n}):"
        fixed[2] = f"    {a} = {g} * abs({f})"
    text = "\n".join(lines) + "\n\n"
    return Program(f"src/{a}.py", (head, text, tail), "\n".join(fixed) + "\n\n", f"{c}_{d}", g)


def _javascript(rng: random.Random, words: list[str]) -> Program:
    a, b, c, d, e, f, g, h = words
    n = rng.randint(2, 90)
    head = f"function {a}{b}({c}) {{\n  const {d} = {c}.{e}({n});\n  return {d} + {n + 1};\n}}\n\n"
    tail = f"function {f}{g}({h}) {{\n  return {h}.map(({a}) => {a}.{b});\n}}\n\n"
    lines = [
        f"function {c}{d}({e}, {f}) {{",
        f"  let {g} = {e}.{h}('{a}');",
        f"  const {b} = {g}.length * {f};",
        f"  {e}.{c}({b}, {n});",
        f"  return {b} - {f};",
        "}",
    ]
    fixed = list(lines)
    kind = rng.randrange(5)
    if kind == 0:
        fixed[2:2] = [f"  if (!{g}) {{", "    return null;", "  }"]
    elif kind == 1:
        fixed[1] = f"  let {g} = {e}.{h}('{a}') || [];"
    elif kind == 2:
        fixed[3] = f"  await {e}.{c}({b}, {n});"
        fixed[0] = f"async {lines[0]}"
    elif kind == 3:
        lines.insert(3, f"  {e}.{h} = {g}.{d}({f}, {n});")
    else:
        fixed[4] = f"  return Math.max({b} - {f}, {n});"
    return Program(
        f"web/{a}.js", (head, "\n".join(lines) + "\n\n", tail), "\n".join(fixed) + "\n\n",
        f"{c}{d}", g,
    )  # fmt: skip


# What happens to it


Change = Callable[[Program, random.Random], tuple[Files, Files]]
"""Gives the files before the change and after it."""


def _at(made: Program, old: str, new: str, path: str = "") -> tuple[Files, Files]:
    return {made.path: old}, {path or made.path: new}


def _other(made: Program) -> str:
    folder, _, name = made.path.rpartition("/")
    return f"{folder}/moved_{name}"


def _indented(text: str) -> str:
    return re.sub(r"(?m)^(?=.)", "    ", text)


def _in_class(made: Program, text: str) -> str:
    return f"class Holder:\n{_indented(text)}" if made.path.endswith(".py") else (
        f"if (ready) {{\n{_indented(text)}}}\n"
    )  # fmt: skip


def _comment(made: Program, words: str) -> str:
    return f"# {words}" if made.path.endswith(".py") else f"// {words}"


def _commented(made: Program, text: str) -> str:
    first, _, rest = text.partition("\n")
    return f"{_comment(made, 'why this is here')}\n{first}  {_comment(made, 'see there')}\n{rest}"


def _wrapped(text: str) -> str:
    """Break lines as formatters do: behind an opening bracket and before the closing one."""
    return re.sub(r"\((\w+), (\w+)\)", r"(\n        \1,\n        \2,\n    )", text)


def _quoted(text: str) -> str:
    return text.replace("'", '"') if "'" in text else text.replace('"', "'")


def _renamed(made: Program, text: str) -> str:
    return re.sub(rf"\b{made.variable}\b", f"{made.variable}_now", text)


def _without_fix(made: Program) -> str:
    """Delete the lines that the fix added, and change what stands beside them."""
    before = set(made.parts[1].splitlines())
    kept = [line for line in made.fixed.splitlines() if line in before]
    return "\n".join(kept) + "\n"


def _only_adds(made: Program) -> bool:
    lines = difflib.ndiff(made.parts[1].splitlines(), made.fixed.splitlines())
    return not any(line.startswith("- ") for line in lines)


def _more(made: Program, rng: random.Random) -> str:
    n = rng.randint(100, 999)
    if made.path.endswith(".py"):
        return f"def added_{n}(value):\n    return value ** {n}\n\n"
    return f"function added{n}(value) {{\n  return value ** {n};\n}}\n\n"


BACK: Final[dict[str, Change]] = {
    "revert": lambda made, _: _at(made, made.after, made.before),
    "revert in a renamed file": lambda made, _: _at(made, made.after, made.before, _other(made)),
    "revert with a new function": lambda made, rng: _at(
        made, made.after, made.before + _more(made, rng)
    ),
    "revert that comments": lambda made, _: _at(
        made, made.after, made.with_second(_commented(made, made.parts[1]))
    ),
    "revert of another form": lambda made, _: _at(
        made, made.after, made.with_second(_wrapped(made.parts[1]))
    ),
    "revert with other quotes": lambda made, _: _at(made, made.after, _quoted(made.before)),
    "revert that indents": lambda made, _: _at(
        made, made.after, made.with_second(_in_class(made, made.parts[1]))
    ),
    "revert that moves": lambda made, _: _at(
        made, made.after, "\n".join((made.parts[1], made.parts[0], made.parts[2]))
    ),
    "revert of two things": lambda made, rng: _at(
        made, made.after + _more(made, rng), made.before
    ),
    "merge that takes the old side": lambda made, rng: _at(
        made, made.after, _more(made, rng) + made.before
    ),
    "old file pasted over it": lambda made, _: _at(
        made, _commented(made, made.after), made.before
    ),
    "revert of indented code": lambda made, _: _at(
        made, _in_class(made, made.after), _in_class(made, made.before)
    ),
    "revert of wrapped code": lambda made, _: _at(
        made, made.with_second(_wrapped(made.fixed)), made.with_second(_wrapped(made.parts[1]))
    ),
    "revert with a comment in its place": lambda made, _: _at(
        made, made.after,
        made.with_second(made.parts[1].rstrip("\n") + f"\n{_comment(made, 'gone')}\n\n"),
    ),
    "revert without the last function": lambda made, _: _at(
        made, made.after, "\n".join(made.parts[:2])
    ),
    "revert with blank lines": lambda made, _: _at(
        made, made.after, made.before.replace("\n\n", "\n\n\n\n")
    ),
}  # fmt: skip
KEPT: Final[dict[str, Change]] = {
    "file renamed": lambda made, _: _at(made, made.after, made.after, _other(made)),
    "function moved": lambda made, _: _at(
        made, made.after, "\n".join((made.fixed, made.parts[0], made.parts[2]))
    ),
    "function moved to another file": lambda made, _: (
        {made.path: made.after},
        {made.path: "\n".join((made.parts[0], made.parts[2])), _other(made): made.fixed},
    ),
    "indented": lambda made, _: _at(made, made.after, _in_class(made, made.after)),
    "wrapped": lambda made, _: _at(made, made.after, made.with_second(_wrapped(made.fixed))),
    "other quotes": lambda made, _: _at(made, made.after, _quoted(made.after)),
    "commented": lambda made, _: _at(
        made, made.after, made.with_second(_commented(made, made.fixed))
    ),
    "comment taken out": lambda made, _: _at(
        made, made.with_second(_commented(made, made.fixed)), made.after
    ),
    "blank lines": lambda made, _: _at(made, made.after, made.after.replace("\n\n", "\n\n\n")),
    "function deleted": lambda made, _: _at(
        made, made.after, "\n".join((made.parts[0], made.parts[2]))
    ),
    "file deleted": lambda made, _: ({made.path: made.after}, {}),
    "another function deleted": lambda made, _: _at(
        made, made.after, "\n".join((made.fixed, made.parts[2]))
    ),
    "function added": lambda made, rng: _at(made, made.after, made.after + _more(made, rng)),
    "function added before": lambda made, rng: _at(
        made, made.after, _more(made, rng) + made.after
    ),
    "variable renamed": lambda made, _: _at(
        made, made.after, made.with_second(_renamed(made, made.fixed))
    ),
    "function renamed": lambda made, _: _at(
        made, made.after, made.after.replace(made.name, f"{made.name}_renamed")
    ),
    "the fix again": lambda made, _: _at(made, made.before, made.after),
    "revert of the revert": lambda made, _: _at(made, made.before, made.after),
    "file written anew": lambda made, rng: _at(made, made.after, _more(made, rng) * 2),
    "copied to another file": lambda made, _: (
        {made.path: made.after}, {made.path: made.after, _other(made): made.after}
    ),
    "nothing but another file": lambda made, rng: (
        {made.path: made.after, _other(made): _more(made, rng)},
        {made.path: made.after, _other(made): _more(made, rng)},
    ),
    "code of the old form changed": lambda made, rng: _at(
        made, made.before, made.before + _more(made, rng)
    ),
    "cut into another function": lambda made, _: _at(
        made, made.after, made.with_second(f"{made.fixed}{_in_class(made, made.parts[0])}")
    ),
    "numbers of another function changed": lambda made, _: _at(
        made, made.after, made.parts[0].replace("return", "return 5 +") + made.with_second(
            made.fixed
        ).removeprefix(made.parts[0]),
    ),
}  # fmt: skip


def diff(before: Files, after: Files) -> str:
    """Write a change as git does: a file that is alone on its side was renamed."""
    gone, come = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
    pairs = [(path, path) for path in sorted(before.keys() & after.keys())]
    if len(gone) == len(come) == 1:
        pairs.append((gone[0], come[0]))
    else:
        pairs += [(path, "") for path in gone] + [("", path) for path in come]
    return "".join(
        _file_diff(old, new, before.get(old, ""), after.get(new, "")) for old, new in pairs
    )


def _file_diff(old: str, new: str, before: str, after: str) -> str:
    names = (f"a/{old}" if old else "/dev/null", f"b/{new}" if new else "/dev/null")
    lines = list(
        difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), *names
        )
    )
    head = f"diff --git a/{old or new} b/{new or old}\n"
    if old and new and old != new:
        head += f"rename from {old}\nrename to {new}\n"
    return head + "".join(lines) if lines or old != new else ""
