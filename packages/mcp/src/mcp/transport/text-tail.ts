import { truncate } from '@toolfold/core/internal/tools/values';
import { stripControls } from '../controls/index.ts';
import { redact } from '../secrets/index.ts';
import { causeLines } from './cause-lines.ts';

const KEPT = 16 * 1024;

/** Keeps the end of a text stream, in bounded memory. */
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
    // Shortens only at four times the limit, to avoid a copy for each line.
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
    return this.#lines(secrets).slice(-count).map(shortened);
  }

  /** At most `count` lines that say why a program has ended, in the same form. */
  causeLines(count: number, secrets: readonly string[]): string[] {
    return causeLines(this.#lines(secrets), count).map(shortened);
  }

  #lines(secrets: readonly string[]): string[] {
    const text = redact(stripControls(this.#shorten().toString('utf8')), secrets);
    // The first line may be incomplete, so a secret in it could not be recognized.
    const lines = text.split('\n').slice(this.#wasCut ? 1 : 0);
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }
}

function shortened(line: string): string {
  return truncate(line, 200);
}
