/** Wiring: what is made when the extension starts, and which command does what. */

import * as vscode from 'vscode';

import { Failures } from './capture/failures';
import { linkIds } from './capture/ids';
import { dashboard, reviewBranch } from './commands/lists';
import { Recording } from './commands/recording';
import { search } from './commands/search';
import { SessionCommands } from './commands/sessions';
import { Staging } from './commands/staging';
import { memoryNear } from './core/nearby';
import type { Found } from './core/starting';
import { Pages } from './records/pages';
import { offerTools } from './server/assistants';
import { Finding } from './server/finding';
import { Installation } from './server/installation';
import { Server } from './server/server';
import { SECTION } from './settings';
import { Badges } from './views/badges';
import { FileTree } from './views/file';
import { Gutter } from './views/gutter';
import { MarksOfFocus } from './views/marks';
import { MemoryTree } from './views/memory';
import type { Node } from './views/nodes';
import { LiveSession } from './views/session';
import { StateOfMemory } from './views/state';
import { StatusBar } from './views/status';

const NEEDS_RESTART = ['python'];
// These need no server.
const ALONE = new Set([
  'gitmem.restart', 'gitmem.installServer', 'gitmem.showLog', 'gitmem.refresh', 'gitmem.viewYaml', 'gitmem.copyId',
  'gitmem.openRecord', 'gitmem.openPlace',
]);

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('gitmem', { log: true });
  const trace = vscode.window.createOutputChannel('gitmem trace', { log: true });
  const installation = new Installation(context, log);
  const finding = new Finding(installation, least(context), log);
  let pages: Pages | undefined = undefined as Pages | undefined;
  let recording: Recording | undefined = undefined as Recording | undefined;
  const server = new Server(log, trace, installation.folder, (command, given) => {
    const [id] = given;
    const place = given.find((one): one is object => typeof one === 'object' && one !== null) ?? {};
    if (command === 'gitmem.recordDecision') return recording?.decision(place);
    if (typeof id !== 'string') return undefined;
    if (command === 'gitmem.recordFix') return recording?.fix(id, place);
    return command === 'gitmem.show' ? pages?.show(id) : undefined;
  });
  const resources = vscode.Uri.joinPath(context.extensionUri, 'media');
  pages = new Pages(server, resources);
  const shown = pages;

  const status = new StatusBar(server);
  const gutter = new Gutter(resources);
  const marks = new MarksOfFocus(server, (editor, found) => {
    status.marks = found;
    if (editor) gutter.draw(editor, found);
  });
  const memory = new MemoryTree(server);
  const file = new FileTree(server);
  const session = new LiveSession(server, (live) => {
    status.session = live;
  });
  const failures = new Failures((command, run) => void server.look(command, run));
  const writing = (recording = new Recording(server, shown, failures));
  const staging = new Staging(server);
  const sessions = new SessionCommands(server, shown, () => {
    session.refresh();
  });
  const refresh = (): void => {
    memory.refresh();
    file.refresh();
    session.refresh();
    status.draw();
  };

  let started = false;
  let used: Found | undefined;
  const state = new StateOfMemory(server, () => !started, () => started && status.isMissing);
  const start = async (asked: boolean): Promise<void> => {
    started = true;
    status.begin();
    state.soon();
    if (asked) server.forgive();
    const { found, tried } = await finding.search();
    used = found;
    status.problem = found ? '' : vscode.l10n.t('gitmem is not installed on this machine');
    state.soon();
    if (found) await server.start(found);
    else {
      await server.stop();
      void finding.mend(tried).then((mended) => (mended ? start(true) : undefined));
    }
  };

  let starting: Promise<void> | undefined = undefined as Promise<void> | undefined;
  const commands: Record<string, (...given: never[]) => unknown> = {
    'gitmem.initialise': () => initialise(server, refresh),
    'gitmem.searchMemory': (text?: string) => { search(server, shown, typeof text === 'string' ? text : ''); },
    'gitmem.showRecord': (id: string) => shown.show(id),
    'gitmem.copyId': ({ row }: Node) => row && vscode.env.clipboard.writeText(row.id),
    'gitmem.openRecord': ({ row }: Node) => row && vscode.window.showTextDocument(vscode.Uri.parse(row.uri)),
    'gitmem.applyFix': ({ row }: Node) => row && server.demand('gitmem.apply', row.id),
    'gitmem.openPlace': openPlace,
    'gitmem.viewYaml': (uri: string) => vscode.window.showTextDocument(vscode.Uri.parse(uri)),
    'gitmem.recordErrorHere': () => writing.errorHere(),
    'gitmem.recordSelection': () => writing.selection(),
    'gitmem.recordTerminalSelection': () => writing.terminalSelection(),
    'gitmem.recordDecisionHere': () => writing.decisionHere(),
    'gitmem.askedAs': (id: string) => writing.askedAs(id),
    'gitmem.showLastFailure': () => writing.lastFailure(),
    'gitmem.applyPastFix': () => applyPastFix(),
    'gitmem.startSession': () => sessions.start(),
    'gitmem.logToSession': () => sessions.log(),
    'gitmem.endSession': () => sessions.end(),
    'gitmem.reviewBranch': () => reviewBranch(server, shown),
    'gitmem.openDashboard': () => dashboard(server, shown),
    'gitmem.stageRecords': () => staging.now(),
    'gitmem.refresh': refresh,
    'gitmem.restart': () => (starting = start(true)),
    'gitmem.installServer': async () => (await installation.install()) && start(true),
    'gitmem.showLog': () => { log.show(); },
  };
  context.subscriptions.push(
    log, trace, server, shown, status, gutter, marks, memory, file, session, failures, staging, state,
    linkIds((id) => void shown.show(id)),
    offerTools(() => used),
    ...Object.entries(commands).map(([id, run]) =>
      vscode.commands.registerCommand(id, async (...given: never[]) => {
        // A command may be what started the extension: the server is then not there yet.
        if (!ALONE.has(id)) starting ??= start(false);
        await starting;
        if (ALONE.has(id) || server.running) return run(...given);
        return notRunning();
      }),
    ),
    vscode.window.registerFileDecorationProvider(new Badges()),
    vscode.window.onDidChangeActiveTextEditor(() => {
      file.refresh();
      void memory.follow();
      session.refresh();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void start(true)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (NEEDS_RESTART.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) void start(true);
      else if (change.affectsConfiguration(SECTION)) {
        void server.configure();
        status.draw();
        marks.soon();
      }
    }),
    server.onChange(refresh),
    server.onRunning(refresh),
  );
  const come = vscode.workspace.createFileSystemWatcher('**/.memory/gitmem.yaml', false, true, true);
  context.subscriptions.push(come, come.onDidCreate(() => void (starting ??= start(false))));
  // Nobody waits for the server: the editor counts this function's time as the extension's.
  void anyMemory().then((there) => {
    if (there) starting ??= start(false);
    else state.soon();
  });
}

/** Tells whether a folder of this window has a memory, or lies in one. */
async function anyMemory(): Promise<boolean> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return (await Promise.all(folders.map(({ uri }) => memoryNear(uri.fsPath)))).includes(true);
}

async function notRunning(): Promise<void> {
  const restart = vscode.l10n.t('Start gitmem');
  const log = vscode.l10n.t('Show log');
  const text = vscode.l10n.t('gitmem is not running.');
  const chosen = await vscode.window.showWarningMessage(text, restart, log);
  if (chosen === restart) await vscode.commands.executeCommand('gitmem.restart');
  if (chosen === log) await vscode.commands.executeCommand('gitmem.showLog');
}

/** Opens a file at a line, from 1, beside the page that names it. */
async function openPlace(uri: string, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const at = document.lineAt(Math.max(0, Math.min(line, document.lineCount) - 1)).range;
  await vscode.window.showTextDocument(document, { selection: at, viewColumn: vscode.ViewColumn.One });
}

/** The editor offers fixes where the server says that they apply. */
async function applyPastFix(): Promise<void> {
  await vscode.commands.executeCommand('editor.action.quickFix');
}

async function initialise(server: Server, refresh: () => void): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (!folder) return;
  const made = await server.ask<{ folder: string }>('gitmem.init', { uri: folder.uri.toString() });
  if (!made) return;
  refresh(); // gitmem itself says what it made
}

/** The oldest gitmem that this extension understands. */
function least(context: vscode.ExtensionContext): string {
  const { gitmem } = context.extension.packageJSON as { gitmem: { least: string } };
  return gitmem.least;
}
