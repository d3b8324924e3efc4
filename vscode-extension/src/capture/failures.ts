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
  /** What it printed; empty where the editor did not tell: of what ends at once. */
  output: string;
  inTerminal: boolean;
}

const PATIENCE_MS = 2_000;

// What the editor writes before the command of a task.
const TASK = /^[\s*]*Executing task:\s*/;

export class Failures implements vscode.Disposable {
  last: Failed | undefined;
  private readonly said = new Map<vscode.TerminalShellExecution, Promise<LastWords>>();
  private readonly ending = new Set<Promise<void>>();
  private readonly failed = new vscode.EventEmitter<Failed>();
  readonly onFailure = this.failed.event;
  private readonly parts: vscode.Disposable[];

  constructor() {
    this.parts = [
      vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
        if (setting('captureTerminal')) this.said.set(execution, heard(execution));
      }),
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const ending = this.ended(execution, exitCode).finally(() => this.ending.delete(ending));
        this.ending.add(ending);
      }),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (exitCode) this.note(execution.task.name, exitCode, '', false);
      }),
    ];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
    this.failed.dispose();
  }

  /** Waits for the last words of what has ended; not for a terminal that never closes its output. */
  async settled(): Promise<void> {
    const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
    await Promise.race([Promise.all(this.ending), patience]);
  }

  private async ended(
    execution: vscode.TerminalShellExecution,
    exitCode: number | undefined,
  ): Promise<void> {
    const words = this.said.get(execution);
    this.said.delete(execution);
    if (!exitCode || !words) return;
    // The end is told before the last of what was printed.
    const { text } = await words;
    const name = execution.commandLine.value.replace(TASK, '');
    this.note(name, exitCode, plainText(text), true);
  }

  private note(name: string, exitCode: number, output: string, inTerminal: boolean): void {
    // A task that also runs in a terminal is reported twice; the one with its words counts.
    const again = this.last && Date.now() - this.last.at < 1_000 && !output;
    if (again && this.last?.output) return;
    this.last = { name, exitCode, at: Date.now(), output, inTerminal };
    this.failed.fire(this.last);
  }
}

async function heard(execution: vscode.TerminalShellExecution): Promise<LastWords> {
  const words = new LastWords();
  for await (const text of execution.read()) words.add(text);
  return words;
}
