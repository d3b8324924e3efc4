/** Records as readable pages, in one panel that is used again, with a way to the file itself. */

import * as vscode from 'vscode';

import { button, element, type Html, raw } from '../core/html';
import { pageHtml } from '../core/page';
import type { Page } from '../server/protocol';
import type { Server } from '../server/server';

const TYPE = 'gitmem.record';

/** Commands that links and buttons on a page may run. */
export const ON_PAGES = [
  'gitmem.show',
  'gitmem.apply',
  'gitmem.helpful',
  'gitmem.unhelpful',
  'gitmem.recordFix',
  'gitmem.askedAs',
  'gitmem.viewYaml',
  'gitmem.openPlace',
  'gitmem.searchMemory',
  'gitmem.reviewBranch',
  'gitmem.openDashboard',
  'gitmem.startSession',
  'gitmem.logToSession',
  'gitmem.endSession',
];

/** A page that is rebuilt when the memory has changed. */
export interface Made {
  title: string;
  body: Html;
  buttons: Html[];
}

export class Pages implements vscode.Disposable, vscode.WebviewPanelSerializer<{ id?: string }> {
  private panel: vscode.WebviewPanel | undefined;
  private shown = '';
  /**
   * Counts what was asked for: an answer that comes late must not cover a later one. What only
   * renews a page asks for nothing: it must find that page still there.
   */
  private turn = 0;
  /** The panel is there for a preview alone: nobody asked for it to stay. */
  private passing = false;
  private renew: (() => Promise<Made | undefined>) | undefined;
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly resources: vscode.Uri,
  ) {
    this.parts = [
      vscode.window.registerWebviewPanelSerializer(TYPE, this),
      server.onChange(() => {
        if (!this.panel?.visible) return;
        if (this.shown) void this.show(this.shown, { quietly: true });
        else if (this.renew) void this.again(this.renew);
      }),
    ];
  }

  /** Shows a record; quietly: only if the panel is there, without taking the focus. */
  async show(id: string, how: { quietly?: boolean; preview?: boolean } = {}): Promise<void> {
    const quiet = how.quietly ?? how.preview ?? false;
    const mine = how.quietly ? this.turn : ++this.turn;
    const page = await this.server.ask<Page>('gitmem.page', id, { quiet });
    const body = page && (await rendered(page.markdown));
    if (!page || !body || mine !== this.turn) return;
    if (how.quietly && id !== this.shown) return;
    const buttons = [
      button(vscode.l10n.t('View YAML'), 'gitmem.viewYaml', page.uri),
      ...(page.patch ? [button(vscode.l10n.t('Apply this fix'), 'gitmem.apply', id)] : []),
      ...(page.kind === 'error'
        ? [button(vscode.l10n.t('Record what fixed it'), 'gitmem.recordFix', id)]
        : []),
      ...(page.asked
        ? []
        : [button(vscode.l10n.t('Add questions that it answers'), 'gitmem.askedAs', id)]),
      ...(page.judged
        ? [
            button(vscode.l10n.t('Helpful'), 'gitmem.helpful', id),
            button(vscode.l10n.t('Not helpful'), 'gitmem.unhelpful', id),
          ]
        : []),
    ];
    this.renew = undefined;
    if (!how.quietly) this.passing = how.preview === true && (this.passing || !this.panel);
    this.fill({ title: page.title, body, buttons }, id, quiet);
  }

  /** Takes away what was only previewed, also if it is still to come. */
  endPreview(): void {
    this.turn += 1;
    if (this.passing) this.panel?.dispose();
  }

  /** Shows Markdown that belongs to no record, such as what is known of a failure. */
  async showText(title: string, markdown: string): Promise<void> {
    const mine = ++this.turn;
    const body = await rendered(markdown);
    if (mine !== this.turn) return;
    this.renew = undefined;
    this.passing = false;
    this.fill({ title, body, buttons: [] }, '', false);
  }

  /** Shows a page of our own making, and keeps it as new as the memory. */
  async showMade(make: () => Promise<Made | undefined>): Promise<void> {
    const mine = ++this.turn;
    const made = await make();
    if (!made || mine !== this.turn) return;
    this.renew = make;
    this.passing = false;
    // Nobody reads code beside it: it takes the whole width.
    this.fill(made, '', false, vscode.ViewColumn.Active);
  }

  private async again(make: () => Promise<Made | undefined>): Promise<void> {
    const mine = this.turn;
    const made = await make();
    if (made && mine === this.turn && make === this.renew) this.fill(made, '', true);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: { id?: string }): Promise<void> {
    this.adopt(panel);
    if (state.id) await this.show(state.id, { preview: true });
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
    this.panel?.dispose();
  }

  private fill(
    { title, body, buttons }: Made,
    id: string,
    keepFocus: boolean,
    column = vscode.ViewColumn.Beside,
  ): void {
    const panel = this.panel ?? this.made(keepFocus, column);
    this.shown = id;
    panel.title = title;
    const style = panel.webview.asWebviewUri(vscode.Uri.joinPath(this.resources, 'page.css'));
    panel.webview.html = pageHtml({
      title,
      body,
      buttons,
      style: style.toString(),
      source: panel.webview.cspSource,
      language: vscode.env.language,
    });
    if (!panel.visible) panel.reveal(undefined, keepFocus);
  }

  private made(preserveFocus: boolean, viewColumn: vscode.ViewColumn): vscode.WebviewPanel {
    const where = { viewColumn, preserveFocus };
    const panel = vscode.window.createWebviewPanel(TYPE, 'gitmem', where, this.options());
    this.adopt(panel);
    return panel;
  }

  private options(): vscode.WebviewOptions & vscode.WebviewPanelOptions {
    return {
      enableScripts: false,
      enableFindWidget: true,
      enableCommandUris: ON_PAGES,
      localResourceRoots: [this.resources],
    };
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    panel.webview.options = this.options();
    panel.iconPath = vscode.Uri.joinPath(this.resources, 'gitmem.svg');
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = '';
      this.renew = undefined;
      this.passing = false;
    });
  }
}

/** Renders with the editor's own renderer; the page's policy allows neither scripts nor images. */
async function rendered(markdown: string): Promise<Html> {
  const html: unknown = await vscode.commands
    .executeCommand('markdown.api.render', markdown)
    .then(undefined, () => undefined);
  return typeof html === 'string' ? raw(html) : element('pre', markdown);
}
