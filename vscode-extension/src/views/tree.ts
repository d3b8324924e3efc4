/** A tree whose roots are asked anew whenever the memory, or what it depends on, has changed. */

import * as vscode from 'vscode';

import type { Node } from './nodes';

const CALM_MS = 250;

export abstract class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<Node>;
  private timer: NodeJS.Timeout | undefined;

  constructor(id: string) {
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.item;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return node ? ((await node.children?.()) ?? []) : this.roots();
  }

  /** Gives what stands at the top; may also say something in the view's head. */
  protected abstract roots(): Promise<Node[]>;

  /** Asks anew, once for many changes; a tree that nobody sees asks when it is looked at. */
  refresh(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire(undefined);
    }, CALM_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.view.dispose();
    this.changed.dispose();
  }
}
