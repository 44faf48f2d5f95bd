import { type Patch, patched, type WireState } from 'toolfold/internal/web-wire';
import { follow, type Link } from './event-stream.ts';

/** A browser has six connections to a server. Four sessions stream, so that commands find one. */
const SLOTS = ['0', '1', '2', '3'].map((number) => `toolfold-slot-${number}`);

/** What tabs of one session say to each other. The number counts what the leading tab has sent. */
type Said =
  | { readonly type: 'hello' }
  | { readonly type: 'state'; readonly number: number; readonly state: WireState }
  | { readonly type: 'patch'; readonly number: number; readonly patch: Patch }
  | { readonly type: 'link'; readonly link: Link }
  | { readonly type: 'show' };

/**
 * The states of a session. One tab of it leads: it has the lock of the session, reads the stream and passes on what it
 * gets. If it is closed, another one has the lock.
 */
export class SharedStream {
  readonly #session: string;
  readonly #onState: (state: WireState) => void;
  readonly #onLink: (link: Link) => void;
  readonly #channel: BroadcastChannel;
  readonly #closed = new AbortController();
  #state: WireState | undefined;
  #number = 0;
  #link: Link = 'connecting';
  #isLeader = false;
  #show: () => void = () => {};

  constructor(session: string, onState: (state: WireState) => void, onLink: (link: Link) => void) {
    this.#session = session;
    this.#onState = onState;
    this.#onLink = onLink;
    this.#channel = new BroadcastChannel(`toolfold-${session}`);
    this.#channel.onmessage = ({ data }) => this.#hear(data as Said);
    this.#say({ type: 'hello' });
    const { signal } = this.#closed;
    navigator.locks
      .request(`toolfold-${session}`, { signal }, () => this.#lead())
      .catch((error) => {
        if (!signal.aborted) throw error;
      });
  }

  /** Streams here in place of another session. */
  showHere(): void {
    if (this.#isLeader) this.#show();
    else this.#say({ type: 'show' });
  }

  close(): void {
    this.#closed.abort();
    this.#show();
    this.#channel.close();
  }

  async #lead(): Promise<void> {
    this.#isLeader = true;
    const { signal } = this.#closed;
    for (let steals = false; !signal.aborted; steals = true) {
      await this.#streamInSlot(steals);
      if (signal.aborted) return;
      if (this.#link !== 'gone') this.#setLink('crowded');
      await new Promise<void>((resolve) => {
        this.#show = resolve;
      });
    }
  }

  /** Streams while a slot is held. `steals`: if all are taken, the one that was taken first is stolen. */
  async #streamInSlot(steals: boolean): Promise<void> {
    for (const slot of SLOTS) if (await this.#hold(slot, { ifAvailable: true })) return;
    const since = (slot: string) => Number(localStorage.getItem(slot) ?? 0);
    const [first] = SLOTS.toSorted((one, other) => since(one) - since(other));
    if (steals && first !== undefined) await this.#hold(first, { steal: true });
  }

  /** Resolves with whether it had the slot, once it has it no more. */
  async #hold(slot: string, options: LockOptions): Promise<boolean> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, stop.signal]);
    try {
      return await navigator.locks.request(slot, options, async (lock) => {
        if (!lock) return false;
        localStorage.setItem(slot, String(Date.now()));
        await follow(
          this.#session,
          signal,
          (event) => this.#pass({ ...event, number: this.#number + 1 }),
          (link) => this.#setLink(link),
        );
        return true;
      });
    } catch {
      // Another session has stolen it.
      return true;
    } finally {
      stop.abort();
    }
  }

  #pass(said: Extract<Said, { type: 'state' | 'patch' }>): void {
    this.#take(said);
    this.#say(said);
  }

  #take(said: Extract<Said, { type: 'state' | 'patch' }>): void {
    if (said.type === 'state') this.#state = said.state;
    else if (this.#state) this.#state = patched(this.#state, said.patch);
    this.#number = said.number;
    if (this.#state) this.#onState(this.#state);
  }

  #hear(said: Said): void {
    if (this.#isLeader) {
      if (said.type === 'show') this.#show();
      if (said.type !== 'hello') return;
      this.#say({ type: 'link', link: this.#link });
      if (this.#state) this.#say({ type: 'state', number: this.#number, state: this.#state });
    } else if (said.type === 'link') {
      this.#link = said.link;
      this.#onLink(said.link);
    } else if (said.type === 'state') this.#take(said);
    else if (said.type === 'patch') {
      if (this.#state && said.number === this.#number + 1) this.#take(said);
      else this.#say({ type: 'hello' });
    }
  }

  #setLink(link: Link): void {
    if (link === this.#link) return;
    this.#link = link;
    this.#onLink(link);
    this.#say({ type: 'link', link });
  }

  #say(said: Said): void {
    if (!this.#closed.signal.aborted) this.#channel.postMessage(said);
  }
}
