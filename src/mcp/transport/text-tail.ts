import { redact, stripControls } from '../secrets/index.ts';

/** Bytes of output that are remembered. */
const KEPT = 16 * 1024;

/** The end of a stream of text, bounded however much is written. */
export class TextTail {
  #pieces: Buffer[] = [];
  #size = 0;
  #wasCut = false;

  add(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    // Copied, because a subarray would keep the larger buffer alive.
    this.#pieces.push(Buffer.from(bytes.subarray(-KEPT)));
    this.#size += Math.min(bytes.length, KEPT);
    this.#wasCut ||= bytes.length > KEPT || this.#size > KEPT;
    // Not for every line: most of a flood is copied for nothing.
    if (this.#size > 4 * KEPT) this.#shorten();
  }

  #shorten(): Buffer {
    const kept = Buffer.from(Buffer.concat(this.#pieces).subarray(-KEPT));
    this.#pieces = [kept];
    this.#size = kept.length;
    return kept;
  }

  /** The last `count` lines, without secrets and control characters, each at most 200 characters. */
  lastLines(count: number, secrets: readonly string[]): string[] {
    const text = redact(stripControls(this.#shorten().toString('utf8')), secrets);
    // The first line may have lost its beginning, and with it what made a secret recognisable.
    const lines = text.split('\n').slice(this.#wasCut ? 1 : 0);
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(-count)
      .map((line) => (line.length > 200 ? `${line.slice(0, 199)}…` : line));
  }
}
