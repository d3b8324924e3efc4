/** The language server as the window knows it: started, asked, restarted, stopped. */

import * as vscode from 'vscode';
import type { CloseAction, LanguageClientOptions } from 'vscode-languageclient/node';

import { BackOff } from '../core/backoff';
import type { Found } from '../core/starting';
import { SECTION, setting } from '../settings';
import type { CalmClient } from './client';
import { Focus } from './focus';
import { Forwarding, SCHEMES } from './forwarding';
import { isRefused, type Refused } from './protocol';

/** Commands that links in hovers may run. */
export const LINKED = ['gitmem.show', 'gitmem.apply', 'gitmem.helpful', 'gitmem.unhelpful'];

/** What is loaded when a server is started. */
type Library = typeof import('./client');

const SELECTOR = SCHEMES.map((scheme) => ({ scheme }));

/** Marks what was asked by the user: what is refused is said here, and a page shows what was done. */
function quietly(given: readonly unknown[]): unknown[] {
  const at = given.findIndex((one) => typeof one === 'object' && one !== null);
  if (at < 0) return [...given, { quiet: true }];
  return given.map((one, number) => (number === at ? { ...(one as object), quiet: true } : one));
}

/** Runs one of the server's commands here instead of there; undefined: it is not for here. */
export type Instead = (command: string, given: unknown[]) => Promise<unknown> | undefined;

/** What the server shows by itself, if it is wanted. */
function switches(): Record<string, boolean> {
  return { codeLens: setting('codeLens'), inlayHints: setting('inlayHints') };
}

export class Server implements vscode.Disposable {
  private client: CalmClient | undefined;
  private forwarding: Forwarding | undefined;
  private readonly backOff = new BackOff();
  private readonly focus = new Focus();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly states = new vscode.EventEmitter<boolean>();
  private readonly handed = new vscode.EventEmitter<void>();
  /** The memory changed: what was asked before may be old. */
  readonly onChange = this.changed.event;
  /** Diagnostics were handed on: other lines may be known. */
  readonly onHanded = this.handed.event;
  /** The server is there, or gone. */
  readonly onRunning = this.states.event;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly trace: vscode.LogOutputChannel,
    private readonly folder: string,
    private readonly instead: Instead,
  ) {}

  get running(): boolean {
    return this.client?.isRunning() === true;
  }

  async start(found: Found): Promise<void> {
    const library = await import('./client.js');
    await this.stop();
    this.log.info(`starting ${found.command}, gitmem ${found.version} (${found.from})`);
    const serverOptions = {
      command: found.command,
      args: [...found.before, 'lsp'],
      // A Python takes modules from the folder that it starts in: never from the workspace.
      options: { cwd: this.folder },
    };
    const client = new library.CalmClient('gitmem', 'gitmem', serverOptions, this.clientOptions(library));
    this.client = client;
    client.onDidChangeState(() => {
      this.states.fire(client.isRunning());
      if (client.isRunning()) this.forwarding?.everything(true);
    });
    client.onNotification('gitmem/changed', () => {
      this.changed.fire();
    });
    let raised = 0;
    const raise = (): void => {
      if (!client.isRunning()) return;
      // Of hovers that fit a document equally well, the one that was registered last stands first.
      const feature = client.getFeature('textDocument/hover');
      feature.clear();
      raised += 1;
      feature.register({ id: `gitmem-hover-${raised}`, registerOptions: { documentSelector: SELECTOR } });
    };
    this.forwarding = new Forwarding(raise, async (document, diagnostics) => {
      if (!client.isRunning()) return;
      const { uri, version } = document;
      const given = { uri: uri.toString(), version, diagnostics };
      await client.sendNotification('gitmem/diagnostics', given);
      this.handed.fire();
    });
    const began = performance.now();
    try {
      await client.start();
    } catch (error) {
      this.log.error(`${found.command} did not start: ${String(error)}`);
      return;
    }
    this.log.info(`ready after ${(performance.now() - began).toFixed(0)} ms`);
  }

  async stop(): Promise<void> {
    this.forwarding?.dispose();
    const client = this.client;
    this.forwarding = this.client = undefined;
    if (client) await client.dispose(5_000);
  }

  /** Sees to it that the server knows what the editor shows about a document. */
  async flush(document: vscode.TextDocument): Promise<void> {
    await this.forwarding?.flush(document);
  }

  /** Forgets earlier crashes: the user asked for a start. */
  forgive(): void {
    this.backOff.reset();
  }

  /** Asks one of the server's commands; what it refuses, it has told the user. */
  async ask<Answer>(command: string, ...given: unknown[]): Promise<Answer | undefined> {
    const answer = await this.look<Answer>(command, ...given);
    return answer === undefined || isRefused(answer) ? undefined : answer;
  }

  /**
   * Asks for something that the user wants done now; what is refused is said aloud, with a button
   * where a memory is missing.
   */
  async demand<Answer>(command: string, ...given: unknown[]): Promise<Answer | undefined> {
    const answer = await this.look<Answer>(command, ...quietly(given));
    if (answer === undefined || !isRefused(answer)) return answer;
    const make = vscode.l10n.t('Set up gitmem');
    const text = answer.lacks
      ? vscode.l10n.t('gitmem is not set up in this folder.')
      : `gitmem: ${answer.error} (${answer.hint})`;
    const chosen = await vscode.window.showWarningMessage(text, ...(answer.lacks ? [make] : []));
    if (chosen !== make) return undefined;
    await vscode.commands.executeCommand('gitmem.initialise');
    return this.ask<Answer>(command, ...quietly(given));
  }

  /** Asks, and gives also what is refused. */
  async look<Answer>(
    command: string,
    ...given: unknown[]
  ): Promise<Answer | Refused | undefined> {
    if (!this.client || !this.running) return undefined;
    try {
      const asked = { command, arguments: this.focus.placed(given) };
      return await this.client.sendRequest('workspace/executeCommand', asked);
    } catch (error) {
      this.log.warn(`${command}: ${String(error)}`);
      return undefined;
    }
  }

  /** Tells the server what is switched on now. */
  async configure(): Promise<void> {
    if (!this.client || !this.running) return;
    const settings = { [SECTION]: switches() };
    await this.client.sendNotification('workspace/didChangeConfiguration', { settings });
  }

  private clientOptions({ CloseAction, ErrorAction }: Library): LanguageClientOptions {
    return {
      // Above the language's own hover, below the diagnostic's text.
      documentSelector: SELECTOR,
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      progressOnInitialization: false,
      // Asked for anew when a server that died is started again.
      initializationOptions: () => ({ commandLinks: true, changes: true, ...switches() }),
      markdown: { isTrusted: { enabledCommands: LINKED }, supportHtml: false },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => this.closed(CloseAction),
      },
      middleware: {
        provideHover: async (document, position, token, next) => {
          const began = performance.now();
          const handing = this.forwarding?.flush(document);
          if (handing) await handing;
          const hover = await next(document, position, token);
          this.log.debug(`hover: ${(performance.now() - began).toFixed(1)} ms`);
          return hover;
        },
        executeCommand: (command, given, next) =>
          this.instead(command, given) ??
          (next(command, this.focus.placed(given)) as Promise<unknown>),
      },
    };
  }

  private async closed(actions: Library['CloseAction']): Promise<{ action: CloseAction; message?: string; handled?: boolean }> {
    const wait = this.backOff.died(Date.now());
    if (wait === undefined) {
      const message = vscode.l10n.t('gitmem keeps stopping. Its log says why.');
      return { action: actions.DoNotRestart, message };
    }
    this.log.warn(`the server ended; started again in ${wait} ms`);
    await new Promise((resolve) => setTimeout(resolve, wait));
    return { action: actions.Restart, handled: true };
  }

  dispose(): void {
    void this.stop();
    this.focus.dispose();
    this.changed.dispose();
    this.handed.dispose();
    this.states.dispose();
  }
}
