import type { ServerStatus } from '../../mcp/index.ts';
import { formatCount, formatNumber, type Terminal } from '../terminal/index.ts';

/**
 * Shows the progress of starting servers: one line that is overwritten on a terminal, or with
 * `isVerbose` a line per change.
 */
export class Progress {
  readonly #terminal: Terminal;
  readonly #isVerbose: boolean;
  readonly #waiting = new Set<string>();
  #settled = 0;

  constructor(terminal: Terminal, isVerbose: boolean) {
    this.#terminal = terminal;
    this.#isVerbose = isVerbose;
  }

  update({ name, state, tools, ms, reason }: ServerStatus): void {
    if (state === 'connecting') this.#waiting.add(name);
    else if (this.#waiting.delete(name)) this.#settled += 1;
    if (state === 'closed' || state === 'idle') return;
    if (this.#isVerbose) {
      const result =
        state === 'ready' ? `, ${formatCount(tools, 'tool')}` : reason ? `: ${reason}` : '';
      this.#terminal.note(`${name}: ${state}${result}${ms > 0 ? ` (${formatNumber(ms)} ms)` : ''}`);
    } else if (this.#terminal.isInteractive) {
      const all = this.#settled + this.#waiting.size;
      const names = [...this.#waiting].join(', ');
      const waiting = names === '' ? '' : `; waiting for ${names}`;
      this.#terminal.overwrite(`${this.#settled} of ${formatCount(all, 'server')} done${waiting}`);
    }
  }

  /** Clears the progress line. */
  end(): void {
    if (this.#terminal.isInteractive && !this.#isVerbose) this.#terminal.overwrite('');
  }
}
