/**
 * The client of the language server. It is nine tenths of the code, and is loaded when a server is
 * started: the editor's own start does not wait for it.
 */

import { CloseAction, ErrorAction, LanguageClient } from 'vscode-languageclient/node';

export { CloseAction, ErrorAction };

/** A client that logs what went wrong instead of popping up a trace: a crash is mended by itself. */
export class CalmClient extends LanguageClient {
  override error(message: string, data?: unknown, show?: boolean | 'force'): void {
    super.error(message, data, show === 'force' ? 'force' : false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
}
