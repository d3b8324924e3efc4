/** Marks beside the lines that records are about; off until asked for. */

import * as vscode from 'vscode';

import type { Marks } from '../server/protocol';
import { setting } from '../settings';

export class Gutter implements vscode.Disposable {
  private readonly mark: vscode.TextEditorDecorationType;

  constructor(resources: vscode.Uri) {
    this.mark = vscode.window.createTextEditorDecorationType({
      gutterIconPath: vscode.Uri.joinPath(resources, 'gutter.svg'),
      gutterIconSize: '80%',
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.infoForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
    });
  }

  draw(editor: vscode.TextEditor, marks: Marks | undefined): void {
    const lines = setting('gutter') ? (marks?.lines ?? []) : [];
    const there = lines.filter(({ line }) => line < editor.document.lineCount);
    editor.setDecorations(
      this.mark,
      there.map(({ line }) => editor.document.lineAt(line).range),
    );
  }

  dispose(): void {
    this.mark.dispose();
  }
}
