"""What a tool nobody knows prints is never told as another tool's, or as of another language."""

import pytest

from benchmarks.eval_output import without_tool
from gitmem.matching.parse import parse
from tests.tools.test_corpus import SAMPLES

PLACED = {
    "fx/water.hlsl(12,9): error X3004: undeclared identifier 'foam'\n": "fx/water.hlsl:12",
    '/shop/main.bicep(7,12) : Error BCP057: The name "sku" does not exist\n': "/shop/main.bicep:7",
    "docs/conf.toml:3: ERROR: rate must be a number\n": "docs/conf.toml:3",
    "cart.mojo:3:9: error: use of unknown name 'prise' [unknown-name]\n": "cart.mojo:3",
    "Error: bad rate\n    at cart.total (src/cart.gleam:12:9)\n    at main (shop.gleam:4:3)\n":
        "src/cart.gleam:12",
    "\n/home/ann/cart.pkl\n  3:9  error  unknown property prise  unknown-property\n":
        "/home/ann/cart.pkl:3",
    "  \u00d7 Variable not found.\n"
    "   \u256d\u2500[cart.nu:3:9]\n 3 \u2502 print $prise\n"
    "   \u00b7        \u2500\u2500\u252c\u2500\u2500\n   \u2570\u2500\u2500\u2500\u2500\n":
        "cart.nu:3",
    "Unhandled exception:\nBad state: No element\n"
    "#0      List.first (dart:core-patch/growable_array.dart:344:5)\n"
    "#1      total (file:///home/ann/cart.dart:3:9)\n#2      main (file:///home/ann/cart.dart:7:3)\n":
        "/home/ann/cart.dart:3",
    "Unhandled exception: Index out of bounds (IndexError)\n"
    "  from /usr/share/crystal/src/indexable.cr:107:8 in 'fetch'\n  from cart.cr:3:9 in 'total'\n":
        "cart.cr:3",
}  # fmt: skip
SAID = (
    "shopc: function total not found\n",
    "shopc: command not found: till\n",
    'shopc: invalid option: "till"\n',
    "meta: parse error: near the end\n",
    "ERROR: Package 'shop/1.0' not resolved: No remote defined. Required by 'till'\n",
    "ERROR: Invalid price in line 3\n",
    "ERROR: No such rate: EUR\n",
    "\nweb/cart.html\n  4:6  error  Stray end tag '</div>'  close-order\n\n1 problem\n",
    "Parse error: unexpected token `}` at the end\n",
    "Runtime error: index 4 out of range\n",
    "shopc: fatal error: c/nothing.shop: No such file or directory\n",
    "Aborted with 2 warnings in strict mode!\n",
    "cart.moon:12\nexpected three\nError: Assertion failed\n",
    "\n docs/rates.md\n 3:9   error  Did you really mean 'prise'?  Vale.Spelling\n",
)


@pytest.mark.parametrize(("text", "place"), PLACED.items())
def test_a_form_that_several_write_names_no_tool(text: str, place: str) -> None:
    read = parse(text)

    assert {(each.tool, each.language) for each in read} == {("", "")}
    places = [each.location for each in read if each.location]
    assert [f"{each.file}:{each.line}" for each in places] == [place]


@pytest.mark.parametrize("text", SAID)
def test_words_that_several_say_name_no_tool(text: str) -> None:
    assert {(each.tool, each.language) for each in parse(text)} <= {("", "")}


@pytest.mark.parametrize(
    "text",
    ["bash: tea: command not found\n", "sh: 1: tea: not found\n", "tea: Command not found.\n",
     "zsh: parse error near `)'\n", "make: tea: No such file or directory\n"],
)  # fmt: skip
def test_what_shells_say_is_theirs_still(text: str) -> None:
    assert {each.tool for each in parse(text)} <= {"shell", "make"}
    assert parse(text)


@pytest.mark.parametrize(
    "tool",
    ["cargo", "cmocka", "doctest_h", "gcc", "mkdocs", "mypy", "scons", "spectral", "sql",
     "typescript", "yamllint"],
)  # fmt: skip
def test_outputs_of_a_tool_without_its_room_are_not_another_language(tool: str) -> None:
    own = [sample for sample in SAMPLES if sample.tool == tool]
    languages = {each.language for sample in own for each in parse(sample.output)} | {""}

    with without_tool(tool):
        strange = [
            (sample.name, each.tool, each.language)
            for sample in own
            for each in parse(sample.output)
            if each.language not in languages
        ]

    assert own
    assert strange == []
