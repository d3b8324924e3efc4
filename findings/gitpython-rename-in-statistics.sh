#!/usr/bin/env bash
# GitPython 3.2.1: a commit's diff names a rename, the same commit's statistics a delete and an add.
#
# Seen: for one commit `diff` gives one change R from old to new; `stats` gives two files, one of
# them deleted with all its lines, one added with all of them.
# Here: what a commit changed is never counted by its statistics, or a moved file would look like
# the largest change of all.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install GitPython==3.2.1

cat >look.py <<'END'
import os

from git import Actor, Repo

repository, ann = Repo.init("r"), Actor("Ann", "ann@example.org")
with open("r/old", "w") as file:
    file.writelines(f"line {number}\n" for number in range(100))
repository.index.add(["old"])
before = repository.index.commit("a", author=ann, committer=ann)
os.rename("r/old", "r/new")
repository.index.remove(["old"])
repository.index.add(["new"])
after = repository.index.commit("b", author=ann, committer=ann)
print("diff:", [(each.change_type, each.a_path, each.b_path) for each in before.diff(after)])
print("stats:", sorted((path, each["change_type"], each["lines"])
                       for path, each in after.stats.files.items()))
END
v/bin/python look.py >seen

cat >described <<'END'
diff: [('R', 'old', 'new')]
stats: [('new', 'A', 100), ('old', 'D', 100)]
END
cat seen
diff -u described seen
