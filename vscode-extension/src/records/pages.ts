/** Records as readable pages, in one panel that is used again, with a way to the file itself. */

import * as vscode from 'vscode';

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
  'gitmem.viewYaml',
];

export class Pages implements vscode.Disposable, vscode.WebviewPanelSerializer<{ id?: string }> {
  private panel: vscode.WebviewPanel | undefined;
  private shown = '';
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly resources: vscode.Uri,
  ) {
    this.parts = [
      vscode.window.registerWebviewPanelSerializer(TYPE, this),
      server.onChange(() => {
        if (this.panel?.visible && this.shown) void this.show(this.shown, { quietly: true });
      }),
    ];
  }

  /** Shows a record; quietly: only if the panel is there, without taking the focus. */
  async show(id: string, how: { quietly?: boolean; preview?: boolean } = {}): Promise<void> {
    const quiet = how.quietly ?? how.preview ?? false;
    const page = await this.server.ask<Page>('gitmem.page', id, { quiet });
    if (!page || (how.quietly && this.shown !== id)) return;
    const buttons = [
      button(vscode.l10n.t('View YAML'), 'gitmem.viewYaml', page.uri),
      ...(page.patch ? [button(vscode.l10n.t('Apply this fix'), 'gitmem.apply', id)] : []),
      ...(page.kind === 'error'
        ? [button(vscode.l10n.t('Record what fixed it'), 'gitmem.recordFix', id)]
        : []),
      button(vscode.l10n.t('Helpful'), 'gitmem.helpful', id),
      button(vscode.l10n.t('Not helpful'), 'gitmem.unhelpful', id),
    ];
    await this.fill(page.title, page.markdown, buttons, id, quiet);
  }

  /** Shows Markdown that belongs to no record, such as what is known of a failure. */
  async showText(title: string, markdown: string): Promise<void> {
    await this.fill(title, markdown, [], '', false);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: { id?: string }): Promise<void> {
    this.adopt(panel);
    if (state.id) await this.show(state.id, { preview: true });
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
    this.panel?.dispose();
  }

  private async fill(
    title: string,
    markdown: string,
    buttons: string[],
    id: string,
    keepFocus: boolean,
  ): Promise<void> {
    const body = await rendered(markdown);
    const panel = this.panel ?? this.made(keepFocus);
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

  private made(preserveFocus: boolean): vscode.WebviewPanel {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus };
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
    });
  }
}

/** Renders with the editor's own renderer; the page's policy allows neither scripts nor images. */
async function rendered(markdown: string): Promise<string> {
  const html: unknown = await vscode.commands
    .executeCommand('markdown.api.render', markdown)
    .then(undefined, () => undefined);
  return typeof html === 'string' ? html : `<pre>${escaped(markdown)}</pre>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

function button(text: string, command: string, argument: string): string {
  const given = encodeURIComponent(JSON.stringify([argument]));
  return `<a class="button" role="button" href="command:${command}?${given}">${escaped(text)}</a>`;
}
