/** What a program prints, bounded and without what only a terminal understands. */

const MOST = 200_000;

/** Keeps the end of a text that comes in pieces: failures stand there. */
export class LastWords {
  private pieces: string[] = [];
  private length = 0;

  add(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length > 2 * MOST) this.pieces = [this.text];
    if (this.pieces.length === 1) this.length = this.pieces[0]?.length ?? 0;
  }

  get text(): string {
    return this.pieces.join('').slice(-MOST);
  }
}

// Control sequences: CSI … final byte, OSC … BEL or ST, and two-byte ones.
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** Takes out colours and the like, and what was overwritten in its line. */
export function plainText(text: string): string {
  return text
    .replace(SEQUENCE, '')
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}
