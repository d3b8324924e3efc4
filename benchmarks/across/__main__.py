"""``python -m benchmarks.across``: recall across repositories, with and without a hub."""

import argparse
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.across.cases import of_programs, of_projects
from benchmarks.across.figures import Asked, table
from benchmarks.across.organisation import Organisation
from benchmarks.eval_fingerprints import DATA
from gitmem.hub.scan import ScanHub


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--show", default="")
    options = parser.parse_args(arguments)
    for name, data in (("programs", of_programs()), ("projects", of_projects(options.data))):
        with tempfile.TemporaryDirectory(prefix="gitmem-across-") as folder:
            organisation = Organisation(folder, data.filed, ScanHub())
            with organisation.asking(words=True) as answer:
                asked = [Asked(case, answer(case)) for case in data.cases]
        print(table(asked))
        if options.show:
            for each in asked:
                wrong = each.wrong
                if each.case.split == options.show:
                    if wrong:
                        print("FALSE", each.case.kind, sorted(each.case.right)[:2], wrong, repr(each.case.text[-160:]))
                    elif each.case.right and not each.place and not each.own_place:
                        print("MISS", each.case.kind, sorted(each.case.right)[:2], each.answer.foreign, repr(each.case.text[-200:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
