/** gitmem's tools for the assistants of the editor itself, where the editor can run them. */

import * as vscode from 'vscode';

import type { Found } from '../core/starting';

/** What is used here of an interface that is newer than the oldest editor that is supported. */
interface Newer {
  McpStdioServerDefinition?: new (label: string, command: string, args: string[]) => { cwd?: vscode.Uri };
  lm?: {
    registerMcpServerDefinitionProvider?: (
      id: string,
      provider: { provideMcpServerDefinitions: () => unknown[] },
    ) => vscode.Disposable;
  };
}

/** Offers `gitmem mcp` to assistants; found: the gitmem in use, undefined while there is none. */
export function offerTools(found: () => Found | undefined): vscode.Disposable {
  const { McpStdioServerDefinition: Definition, lm } = vscode as unknown as Newer;
  if (!Definition || !lm?.registerMcpServerDefinitionProvider) return new vscode.Disposable(() => undefined);
  const provideMcpServerDefinitions = (): unknown[] => {
    const used = found();
    if (!used) return [];
    return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => {
      const server = new Definition(`gitmem: ${name}`, used.command, [...used.before, 'mcp']);
      server.cwd = uri;
      return server;
    });
  };
  return lm.registerMcpServerDefinitionProvider('gitmem', { provideMcpServerDefinitions });
}
