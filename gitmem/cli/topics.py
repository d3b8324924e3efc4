"""What ``gitmem help TOPIC`` says of matters that belong to no single command."""

from typing import Final

TOPICS: Final = {
    "filters": """\
Filters narrow search, list, log and stats: gitmem list kind:error status:open

   kind:error         error, fix, decision, session, pattern, note
   status:open        of errors: open, resolved, regressed, duplicate; of fixes: worked,
                      partial, failed, unverified; of decisions: accepted, superseded, ...
   tag:auth           all the tags that you name must be there
   path:src/auth      what names this file or something below this folder; * stands for
                      anything; ./ and ../ are meant from the current folder; quote a
                      value with spaces: "path:my notes/a.md"
   type:TypeError     the type of an error
   author:ann         part of a name or an address
   language:python    session:ses-4p    issue:12
   since:30d          also 12h, 4w, 6m, 2y, yesterday, 2026-01, 2026-01-31; until: likewise

A minus leaves out what has it: -tag:noise. The filters of one kind are alternatives, but
for tags; filters of different kinds must all hold.""",
    "ids": """\
Every record has an id, such as err-7k3m9q2d4x: its kind (err, fix, dec, ses, pat, note) and ten
random characters. Any unique prefix works: err-7k3, or just err while there is one error.
Drafts and runs have hexadecimal ids: gitmem drafts and gitmem runs list them.

   gitmem show ID      shows a record or a draft
   gitmem edit ID      edits it
   gitmem undo RUN     dismisses a run: nothing is learnt from it""",
    "exit-codes": """\
   0    it worked (finding nothing is not an error)
   1    the answer is no: check found an error, a place is stale
   2    usage error: an unknown option, a filter value that does not exist
   3    not found: no memory here, no such record
   4    invalid: a record or a file that can't be read as one
   5    conflict: something is in the way, such as a taken id
   6    environment error: permissions, a full disk, no git
   130  interrupted
   141  the reader of the output is gone (| head)

gitmem run passes on the exit code of its command.""",
}
