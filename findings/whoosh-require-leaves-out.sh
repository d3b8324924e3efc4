#!/usr/bin/env bash
# Whoosh 2.7.4: REQUIRE leaves out the documents that hold the required word.
#
# Seen: "apple REQUIRE berry" gives the one document that holds apple and not berry; the two that
# hold both are not found. "apple AND berry" finds these.
# Here: queries are read and answered by our own code; a test compares it with the plain meaning
# of each operator, over all documents.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install Whoosh==2.7.4

cat >look.py <<'END'
from whoosh import fields, index
from whoosh.qparser import QueryParser

schema = fields.Schema(id=fields.ID(stored=True), text=fields.TEXT)
shelf = index.create_in(".", schema)
writer = shelf.writer()
for name, text in {"both": "apple berry", "apple only": "apple", "berry only": "berry",
                   "both and more": "apple berry cherry"}.items():
    writer.add_document(id=name, text=text)
writer.commit()
with shelf.searcher() as searcher:
    for asked in "apple AND berry", "apple REQUIRE berry", "apple ANDNOT berry":
        query = QueryParser("text", schema).parse(asked)
        print(f"{asked}:", sorted(hit["id"] for hit in searcher.search(query, limit=None)))
END
v/bin/python -W ignore look.py >seen

cat >described <<'END'
apple AND berry: ['both', 'both and more']
apple REQUIRE berry: ['apple only']
apple ANDNOT berry: ['apple only']
END
cat seen
diff -u described seen
