/** Follows the commands in terminals and tasks: each is a watched run; the last failure is kept. */

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

/** Tells the server of a command that began or ended. */
export type Tell = (command: 'gitmem.runBegan' | 'gitmem.runEnded', run: object) => void;

/** A command that runs. */
interface Running {
  call: string;
  began: number;
  words: Promise<LastWords>;
}

const PATIENCE_MS = 2_000;

// What the editor writes before the command of a task.
const TASK = /^[\s*]*Executing task:\s*/;

export class Failures implements vscode.Disposable {
  last: Failed | undefined;
  private readonly running = new Map<vscode.TerminalShellExecution, Running>();
  private readonly ending = new Set<Promise<void>>();
  private readonly failed = new vscode.EventEmitter<Failed>();
  readonly onFailure = this.failed.event;
  private readonly parts: vscode.Disposable[];
  private calls = 0;

  constructor(private readonly tell: Tell) {
    this.parts = [
      vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
        if (setting('captureTerminal')) this.begun(execution);
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

  private begun(execution: vscode.TerminalShellExecution): void {
    // Other windows of the same memory count theirs, too.
    const call = `${vscode.env.sessionId} ${(this.calls += 1)}`;
    this.running.set(execution, { call, began: Date.now(), words: heard(execution) });
    this.tell('gitmem.runBegan', { ...asked(execution), call });
  }

  private async ended(
    execution: vscode.TerminalShellExecution,
    exitCode: number | undefined,
  ): Promise<void> {
    const running = this.running.get(execution);
    this.running.delete(execution);
    // Without a code nobody knows whether it passed.
    if (exitCode === undefined || !running) return;
    const ms = Date.now() - running.began;
    // The end is told before the last of what was printed.
    const output = plainText((await running.words).text);
    const run = asked(execution);
    if (exitCode) this.note(run.line, exitCode, output, true);
    this.tell('gitmem.runEnded', { ...run, call: running.call, output, exit_code: exitCode, ms });
  }

  private note(name: string, exitCode: number, output: string, inTerminal: boolean): void {
    // A task that also runs in a terminal is reported twice; the one with its words counts.
    const again = this.last && Date.now() - this.last.at < 1_000 && !output;
    if (again && this.last?.output) return;
    this.last = { name, exitCode, at: Date.now(), output, inTerminal };
    this.failed.fire(this.last);
  }
}

/** What was run, and where if the editor knows. */
function asked({ commandLine, cwd }: vscode.TerminalShellExecution): { line: string; uri?: string } {
  const line = commandLine.value.replace(TASK, '');
  return cwd?.scheme === 'file' ? { line, uri: cwd.toString() } : { line };
}

async function heard(execution: vscode.TerminalShellExecution): Promise<LastWords> {
  const words = new LastWords();
  for await (const text of execution.read()) words.add(text);
  return words;
}
