#!/usr/bin/env bash
# Whoosh 2.7.4: a document updated twice in one writer is double in the index for ever after.
#
# Seen: update_document replaces by a unique field what is in the index. What the same writer has
# written it does not see, so that two calls leave two documents. From then on each further
# update, by writers of their own, takes one away and adds one: the last two stay.
# Here: a record may change twice while one batch is indexed, so a batch holds each one once.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install Whoosh==2.7.4

cat >look.py <<'END'
from whoosh import fields, index

shelf = index.create_in(".", fields.Schema(id=fields.ID(stored=True, unique=True),
                                           text=fields.STORED))


def update(*texts):
    writer = shelf.writer()
    for text in texts:
        writer.update_document(id="cart", text=text)
    writer.commit()
    with shelf.searcher() as searcher:
        print("after", *texts, "->", *sorted(each["text"] for each in searcher.documents()))


update("first")
update("second")
update("third", "fourth")
update("fifth")
update("sixth")
END
v/bin/python -W ignore look.py >seen

cat >described <<'END'
after first -> first
after second -> second
after third fourth -> fourth third
after fifth -> fifth fourth
after sixth -> fifth sixth
END
cat seen
diff -u described seen
