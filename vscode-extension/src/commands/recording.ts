/** Writing down: from a diagnostic, a selection, the terminal; a decision; what a session did. */

import * as vscode from 'vscode';

import type { Failures } from '../capture/failures';
import { lastOutput, selectedInTerminal } from '../capture/terminal';
import { meantAt } from '../core/diagnostics';
import type { Pages } from '../records/pages';
import type { LastRun, Recorded } from '../server/protocol';
import type { Server } from '../server/server';

export class Recording {
  constructor(
    private readonly server: Server,
    private readonly pages: Pages,
    private readonly failures: Failures,
  ) {}

  /** Records the diagnostic at the cursor, or on its line; the server takes what was handed on to it. */
  async errorHere(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { document, selection } = editor;
    const at = meantAt(vscode.languages.getDiagnostics(document.uri), selection.active);
    if (!at) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('There is no problem on this line. To record a text, select it first.'),
      );
      return;
    }
    await this.server.flush(document);
    const { line, character } = at.range.start;
    const place = { uri: document.uri.toString(), line, character };
    const written = await this.server.demand<{ id: string }>('gitmem.recordError', place);
    if (written) await this.pages.show(written.id);
  }

  /** Records the errors in the selected text. */
  async selection(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const text = editor?.document.getText(editor.selection) ?? '';
    if (editor && text.trim()) await this.text(text, editor.document.uri);
    else this.nothingSelected();
  }

  /** Records the errors in what is selected in the terminal. */
  async terminalSelection(): Promise<void> {
    const text = await selectedInTerminal();
    if (text.trim()) await this.text(text, vscode.workspace.workspaceFolders?.[0]?.uri);
    else this.nothingSelected();
  }

  /** Records a decision about the lines that are selected. */
  async decisionHere(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { start, end } = editor.selection;
    await this.decision({
      uri: editor.document.uri.toString(),
      first: start.line,
      last: end.line,
      quote: editor.document.lineAt(start.line).text.trim(),
    });
  }

  /** Asks what was decided about a place, and why, and writes it down. */
  async decision(place: object): Promise<void> {
    const title = vscode.l10n.t('Record a decision here');
    const decision = await typed(title, vscode.l10n.t('What was decided?'));
    if (!decision) return;
    const rationale = await typed(title, vscode.l10n.t('Why? You may leave this empty.'));
    if (rationale === undefined) return;
    const said = { ...place, decision, rationale };
    const written = await this.server.demand<{ id: string }>('gitmem.recordDecision', said);
    if (written) await this.pages.show(written.id);
  }

  /** Asks what fixed an error, and writes it down with what was edited since the last commit. */
  async fix(id: string, place: object): Promise<void> {
    const title = vscode.l10n.t('Record what fixed it');
    const approach = await typed(title, vscode.l10n.t('What was done? What you edited since the last commit is kept with it.'));
    if (!approach) return;
    const outcome = await picked(title, [
      [vscode.l10n.t('It worked'), 'worked'],
      [vscode.l10n.t('It worked in part'), 'partial'],
      [vscode.l10n.t('It did not help'), 'failed'],
    ]);
    if (!outcome) return;
    const more = outcome === 'failed' ? await this.whyFailed(title) : await this.proof(title);
    if (!more) return;
    // The edit is what is on the disk.
    const { activeTextEditor: editor } = vscode.window;
    if (editor?.document.isDirty && editor.document.uri.scheme === 'file') await editor.document.save();
    const said = { ...place, approach, outcome, ...more };
    const written = await this.server.demand<{ id: string }>('gitmem.recordFix', id, said);
    if (written) await this.pages.show(written.id);
  }

  private async whyFailed(title: string): Promise<object | undefined> {
    const why = await typed(title, vscode.l10n.t('Why did it not help? You may leave this empty.'));
    return why === undefined ? undefined : { why_failed: why };
  }

  /** Offers the command that was watched last as what shows that it works. */
  private async proof(title: string): Promise<object | undefined> {
    const run = await this.server.ask<LastRun | null>('gitmem.lastRun');
    if (!run) return { patch: true };
    const command = await picked(title, [
      [vscode.l10n.t('Checked with: {0}', run.command), run.command],
      [vscode.l10n.t('Not checked'), ' '],
    ]);
    return command ? { patch: true, command: command.trim() } : undefined;
  }

  /** Asks how somebody would ask for a record who does not know the answer, and writes it down. */
  async askedAs(id: string): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Add questions that it answers'),
      prompt: vscode.l10n.t('In the words of somebody who does not know the answer; separate several with semicolons'),
      ignoreFocusOut: true,
    });
    const lines = (typed ?? '').split(';').map((line) => line.trim()).filter(Boolean);
    if (!lines.length) return;
    const written = await this.server.ask<{ id: string }>('gitmem.recordAskedAs', id, { lines });
    if (written) await this.pages.show(written.id);
  }

  /** Shows what is known about what failed last, in this window or under `gitmem run`. */
  async lastFailure(): Promise<void> {
    await this.failures.settled();
    const mine = this.failures.last;
    const run = await this.server.ask<LastRun | null>('gitmem.lastRun');
    const newer = mine && (!run || Date.parse(run.at) < mine.at);
    const output = newer && (mine.output || (mine.inTerminal ? await lastOutput() : ''));
    if (newer && output) {
      const told = await this.server.ask<{ markdown: string }>('gitmem.tell', output);
      await this.pages.showText(mine.name, told?.markdown ?? '');
    } else if (run && !newer) {
      await this.pages.showText(run.command, run.markdown);
    } else if (mine) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('{0} failed. Its messages are in the Problems view: hover over one of them.', mine.name),
      );
    } else {
      void vscode.window.showInformationMessage(vscode.l10n.t('Nothing has failed yet.'));
    }
  }

  private async text(text: string, uri: vscode.Uri | undefined): Promise<void> {
    const given = { text, ...(uri ? { uri: uri.toString() } : {}) };
    const written = await this.server.demand<Recorded>('gitmem.recordText', given);
    const id = written?.ids[0] ?? written?.known[0];
    if (id) await this.pages.show(id);
  }

  private nothingSelected(): void {
    void vscode.window.showInformationMessage(vscode.l10n.t('Select the text of an error first.'));
  }
}

/** Asks for a line; undefined: the user does not want to go on. */
async function typed(title: string, prompt: string): Promise<string | undefined> {
  const line = await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true });
  return line?.trim();
}

/** Asks for one of several; gives what stands for it. */
async function picked(title: string, choices: [string, string][]): Promise<string | undefined> {
  const items = choices.map(([label, value]) => ({ label, value }));
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.value;
}
