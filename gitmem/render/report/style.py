"""The style sheet of the report: light and dark, wide and narrow, and on paper."""

from typing import Final

CSS: Final = """
:root { color-scheme: light dark;
  --paper: #fbfbf9; --card: #ffffff; --ink: #1d2328; --soft: #5d6871; --line: #dcdfe1;
  --c1: #35618f; --c2: #c2703d; --c3: #4c8a5e; --good: #2f6f45; --bad: #a63a2c; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #15181b; --card: #1c2024; --ink: #e4e7e9; --soft: #9aa4ac; --line: #363c42;
  --c1: #7fb0dd; --c2: #e2a070; --c3: #86c29a; --good: #86c29a; --bad: #ee9384; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main { max-width: 960px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 36px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 0 0 4px; }
section { margin: 40px 0; }
p { margin: 0 0 12px; }
.soft { color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 12px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 12px 14px; display: flex; flex-direction: column; font-size: 13px; }
.card strong { font-size: 24px; line-height: 1.3; font-weight: 600; }
figure { margin: 8px 0 16px; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; padding: 8px; }
figure svg { display: block; width: 100%; max-width: 860px; height: auto; margin: 0 auto; }
figcaption { display: flex; flex-wrap: wrap; gap: 4px 20px; justify-content: center;
  font-size: 13px; padding: 4px 8px 6px; position: sticky; left: 0; }
figcaption span::before { content: ""; display: inline-block; width: 11px; height: 11px;
  margin-right: 6px; border-radius: 2px; background: var(--c1); }
figcaption .c2::before { background: var(--c2); }
figcaption .c3::before { background: var(--c3); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; color: var(--soft); font-weight: 500; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: break-word; min-width: 4em; }
td:first-child { min-width: 14em; }
code { color: var(--soft); font: 12px ui-monospace, Menlo, "DejaVu Sans Mono", monospace;
  white-space: nowrap; }
a { color: var(--c1); } a code { color: inherit; }
.record { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 10px 14px; margin: 12px 0; scroll-margin-top: 12px; }
.record:target { border-color: var(--c1); box-shadow: 0 0 0 1px var(--c1); }
.record h3 { font-size: 15px; margin: 0 0 2px; overflow-wrap: anywhere; }
.record p { margin: 0 0 8px; } .record ul { margin: 8px 0 2px; padding-left: 20px; }
.record li { overflow-wrap: anywhere; }
.record pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 12px/1.5 ui-monospace, Menlo, "DejaVu Sans Mono", monospace; }
.open, .declining { color: var(--bad); }
.fixed, .improving { color: var(--good); }
.insufficient { color: var(--soft); }
.narrow { display: none; }
@media (max-width: 560px) { header, main { padding: 0 12px; }
  header { padding-top: 20px; } section { margin: 28px 0; }
  figure { padding: 2px; } .broad { display: none; } .narrow { display: block; }
  table, tbody, tr, td { display: block; } th { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: 6px 0; }
  td, td:first-child { border: 0; padding: 2px 0; min-width: 0; overflow-wrap: anywhere; }
  td[data-name]:not([data-name=""]):not(:first-child)::before {
    content: attr(data-name) ": "; color: var(--soft); }
  code { white-space: normal; }
  .cards { grid-template-columns: 1fr 1fr; } }
@media print { .broad { display: block; } .narrow { display: none; } }
@media print { section { break-inside: avoid; } figure, .card { background: none; } }
"""
