import type { WireCommand, WireQuestion, WireReply, WireState } from 'toolfold/internal/web-wire';
import { readJson, command as send } from './api.ts';
import type { Link } from './event-stream.ts';
import { SharedStream } from './shared-stream.ts';
import type { ScreenTurn } from './types.ts';

/** What went wrong, and what to do. */
export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The session that this tab shows. */
export class OpenSession {
  readonly id: string;
  state: WireState | undefined = $state.raw();
  link: Link = $state.raw('connecting');
  /** Turns before those of the state, as far as they were loaded or have left it since. */
  older: readonly ScreenTurn[] = $state.raw([]);
  problem: Problem | undefined = $state.raw();
  /** Messages that no reply has come for yet, by id. */
  sending: Readonly<Record<string, string>> = $state.raw({});
  /** What the input begins with, such as a message that is edited. */
  readonly draftKey: string;
  readonly #stream: SharedStream;
  /** The reply to the last message. */
  #said: Promise<unknown> = Promise.resolve();
  #next: WireState | undefined;
  #frame = 0;

  constructor(id: string) {
    this.id = id;
    this.draftKey = `toolfold-draft-${id}`;
    this.#stream = new SharedStream(
      id,
      (state) => this.#draw(state),
      (link) => {
        this.link = link;
      },
    );
  }

  /** The number of the first turn that is known. */
  get firstTurn(): number {
    return (this.state?.earlier ?? 0) - this.older.length;
  }

  get turns(): readonly ScreenTurn[] {
    return this.older.length === 0
      ? (this.state?.turns ?? [])
      : [...this.older, ...(this.state?.turns ?? [])];
  }

  /** That of the prices. */
  get currency(): string {
    return this.state?.session.currency ?? 'USD';
  }

  /** The questions about a call. */
  questionsOf(call: string): readonly WireQuestion[] {
    return this.state?.questions.filter((question) => question.call?.id === call) ?? [];
  }

  /** Sends a command until it is answered. What is refused becomes the problem that the page shows. */
  async command(given: WireCommand): Promise<WireReply> {
    const reply = await send(this.id, given);
    if (!reply.ok) this.problem = reply;
    return reply;
  }

  /** Resolves with whether the message was taken. */
  async say(given: Omit<Extract<WireCommand, { type: 'say' }>, 'type' | 'id'>): Promise<boolean> {
    const id = crypto.randomUUID();
    this.sending = { ...this.sending, [id]: given.text };
    // Messages that are repeated keep their order.
    const reply = this.#said.then(() => this.command({ type: 'say', id, ...given }));
    this.#said = reply;
    const { ok } = await reply;
    const { [id]: _, ...rest } = this.sending;
    this.sending = rest;
    return ok;
  }

  /** Loads turns before those that are known. */
  async loadEarlier(): Promise<void> {
    const before = this.firstTurn;
    const more = await this.try(() =>
      readJson<readonly ScreenTurn[]>('/turns', { session: this.id, before }),
    );
    if (more && before === this.firstTurn) this.older = [...more, ...this.older];
  }

  /** What fails becomes the problem that the page shows. */
  async try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.problem = { message: error instanceof Error ? error.message : String(error) };
      return undefined;
    }
  }

  showHere(): void {
    this.#stream.showHere();
  }

  close(): void {
    this.#stream.close();
    cancelAnimationFrame(this.#frame);
  }

  /** Draws the newest state with the next frame. A hidden tab has no frames. */
  #draw(state: WireState): void {
    const waits = this.#next !== undefined;
    this.#next = state;
    if (document.hidden) this.#take();
    else if (!waits) this.#frame = requestAnimationFrame(() => this.#take());
  }

  #take(): void {
    const next = this.#next;
    this.#next = undefined;
    if (!next) return;
    const before = this.state;
    // Turns that leave the state stay on the page.
    const left = next.earlier - (before?.earlier ?? next.earlier);
    if (left < 0 || left > (before?.turns.length ?? 0)) this.older = [];
    else if (before && left > 0) this.older = [...this.older, ...before.turns.slice(0, left)];
    this.state = next;
  }
}
