"""Names of tests and of files, as far as no tool is asked what they mean."""

import re


def leaf_of(name: str) -> str:
    """Give the last part of a test's name: that of the test itself."""
    file, _, inner = name.partition("::")
    return re.split("::|\\.| > | \u203a |/", inner or file)[-1].partition("[")[0].strip()


def same_file(path: str, other: str) -> bool:
    """Tell whether two paths can be one file's, seen from two folders."""
    first, second = path.replace("\\", "/"), other.replace("\\", "/")
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return longer == shorter or longer.endswith("/" + shorter.lstrip("./"))
