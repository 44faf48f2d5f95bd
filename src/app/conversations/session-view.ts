import {
  createScreen,
  type Screen,
  type ScreenView,
  type StampedEvent,
} from '../../agent/index.ts';
import type { Session } from '../../sessions/index.ts';
import { Follower } from './follower.ts';
import { rebuiltView } from './rebuilt-events.ts';

/** Where a conversation is shown, and where other processes are followed. */
export interface Watch {
  /** Called with every change of what is shown. */
  readonly onChange: () => void;
  /** Gets what went wrong outside a turn. */
  readonly onError: (error: unknown) => void;
}

/** What is seen of a session: the turns here, and those of other processes between them. */
export class SessionView {
  readonly #watch: Watch | undefined;
  readonly #onFollowed: () => void;
  #screen: Screen = createScreen();
  #follower: Follower | undefined;
  #isHeld = false;

  /** Without `watch` nothing is shown. `onFollowed` is called when another process has changed something. */
  constructor(watch: Watch | undefined, onFollowed: () => void) {
    this.#watch = watch;
    this.#onFollowed = onFollowed;
  }

  get view(): ScreenView {
    return this.#screen.view;
  }

  /** Whether another process runs a turn. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Another process runs a turn, as somebody else has found out. */
  expectHeld(): void {
    this.#isHeld = true;
    this.#follower?.expectHeld();
    void this.#follower?.look();
  }

  /** Shows another session, or an empty one. */
  async showAnother(session: Session | undefined): Promise<void> {
    this.#follower?.stop();
    this.#follower = undefined;
    this.#isHeld = false;
    this.#screen = createScreen();
    if (session) await this.show(session);
  }

  /** Shows a session and follows it, unless it is shown already. */
  async show(session: Session): Promise<void> {
    const watch = this.#watch;
    if (!watch || this.#follower) return;
    const { store, id, entries } = session;
    const view = await rebuiltView(session);
    this.#screen = createScreen(view);
    this.#follower = new Follower(store, id, {
      onError: watch.onError,
      onChange: (followed) => {
        this.#screen = createScreen(followed.view);
        this.#isHeld = followed.isHeld;
        this.#onFollowed();
      },
    });
    this.#follower.start(entries, view);
    await this.#follower.look();
  }

  /** Shows an event of a turn here. */
  take(event: StampedEvent): void {
    if (this.#watch) this.#screen.take(event);
  }

  /** A turn begins here, or the end has come: nothing else is followed. */
  pause(): void {
    this.#follower?.stop();
  }

  /** The turn here has ended. */
  follow({ entries }: Session): void {
    this.#follower?.start(entries, this.view);
  }
}
