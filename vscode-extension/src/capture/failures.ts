/** Remembers the last thing that failed in this window: a command in a terminal, or a task. */

import * as vscode from 'vscode';

import { LastWords, plainText } from '../core/output';
import { setting } from '../settings';

/** Something that failed. */
export interface Failed {
  /** What was run, as the user would say it. */
  name: string;
  exitCode: number;
  at: number;
  /** What it printed; empty where the editor does not tell (tasks without shell integration). */
  output: string;
}

export class Failures implements vscode.Disposable {
  last: Failed | undefined;
  private readonly said = new Map<vscode.TerminalShellExecution, LastWords>();
  private readonly failed = new vscode.EventEmitter<Failed>();
  readonly onFailure = this.failed.event;
  private readonly parts: vscode.Disposable[];

  constructor() {
    this.parts = [
      vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
        if (setting('captureTerminal')) void this.listen(execution);
      }),
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        this.ended(execution, exitCode);
      }),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (exitCode) this.note(execution.task.name, exitCode, '');
      }),
    ];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
    this.failed.dispose();
  }

  private async listen(execution: vscode.TerminalShellExecution): Promise<void> {
    const words = new LastWords();
    this.said.set(execution, words);
    for await (const text of execution.read()) words.add(text);
  }

  private ended(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    const words = this.said.get(execution);
    this.said.delete(execution);
    if (exitCode && words) {
      this.note(execution.commandLine.value, exitCode, plainText(words.text));
    }
  }

  private note(name: string, exitCode: number, output: string): void {
    // A task that also runs in a terminal is told of twice; the one with its words counts.
    const again = this.last && Date.now() - this.last.at < 1_000 && !output;
    if (again && this.last?.output) return;
    this.last = { name, exitCode, at: Date.now(), output };
    this.failed.fire(this.last);
  }
}
