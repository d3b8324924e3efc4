/** Text of a terminal, which no interface gives: it is copied, and the clipboard is put back. */

import * as vscode from 'vscode';

/** Gives what is selected in the terminal in focus. */
export function selectedInTerminal(): Promise<string> {
  return copiedBy('workbench.action.terminal.copySelection');
}

/** Gives what the last command in the terminal in focus printed. */
export function lastOutput(): Promise<string> {
  return copiedBy('workbench.action.terminal.copyLastCommandOutput');
}

async function copiedBy(command: string): Promise<string> {
  const before = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText('');
  try {
    await vscode.commands.executeCommand(command);
    return await vscode.env.clipboard.readText();
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}
