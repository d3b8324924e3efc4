/** Which memory is meant: that of the file in focus, or the one of the file before it. */

import * as vscode from 'vscode';

/** A place in the window's folder, where there is one only. */
function onlyFolder(): string | undefined {
  const [folder, another] = vscode.workspace.workspaceFolders ?? [];
  return folder && !another ? `${folder.uri.toString()}/.` : undefined;
}

export class Focus implements vscode.Disposable {
  private uri: string | undefined;
  private readonly part: vscode.Disposable;

  constructor() {
    this.take(vscode.window.activeTextEditor);
    this.part = vscode.window.onDidChangeActiveTextEditor((editor) => {
      this.take(editor);
    });
  }

  /**
   * Says which memory is meant, in the arguments of a command, if they do not say it yet.
   *
   * The server reads `uri` from the first argument that is an object.
   */
  placed(given: readonly unknown[]): unknown[] {
    const uri = this.uri ?? onlyFolder();
    if (!uri) return [...given];
    const at = given.findIndex((one) => typeof one === 'object' && one !== null);
    if (at < 0) return [...given, { uri }];
    return given.map((one, number) => (number === at ? { uri, ...(one as object) } : one));
  }

  dispose(): void {
    this.part.dispose();
  }

  private take(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    // A file of elsewhere, such as a library's source, does not turn the views away.
    if (uri?.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri)) this.uri = uri.toString();
  }
}
