import { redact, stripControls } from './redact.ts';

/** Bytes of output that are remembered. */
const KEPT = 16 * 1024;

/** The end of a stream of text, bounded however much is written. */
export class TextTail {
  #kept: Buffer = Buffer.alloc(0);
  #wasCut = false;

  add(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const joined = Buffer.concat([this.#kept, bytes.subarray(-KEPT)]);
    this.#wasCut ||= bytes.length > KEPT || joined.length > KEPT;
    // Copied, because a subarray would keep the larger buffer alive.
    this.#kept = Buffer.from(joined.subarray(-KEPT));
  }

  /** The last `count` lines, without secrets and control characters, each at most 200 characters. */
  lastLines(count: number, secrets: readonly string[]): string[] {
    const text = redact(stripControls(this.#kept.toString('utf8')), secrets);
    // The first line may have lost its beginning, and with it what made a secret recognisable.
    const lines = text.split('\n').slice(this.#wasCut ? 1 : 0);
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(-count)
      .map((line) => (line.length > 200 ? `${line.slice(0, 199)}…` : line));
  }
}
