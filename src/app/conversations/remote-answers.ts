import type { ScreenView, UnknownCall } from '../../agent/index.ts';
import { openSession, type Session } from '../../sessions/index.ts';
import type { Asker } from '../asking/index.ts';
import {
  mayAskUnknown,
  openQuestions,
  type RemoteQuestion,
  unknownQuestions,
} from './remote-questions.ts';

/** What is known of the session of the other process. */
type Followed = Pick<Session, 'id' | 'store' | 'entries'>;

export interface RemoteAnswersOptions {
  readonly asker: Asker;
  /** The calls of a session whose outcome is unknown, as seen from outside. */
  readonly unknown: (session: Session) => Promise<readonly UnknownCall[]>;
  readonly onError: (error: unknown) => void;
}

/**
 * Asks here what another process asks its user, and sends it the answers. A question is withdrawn when it is
 * answered there.
 */
export class RemoteAnswers {
  readonly #options: RemoteAnswersOptions;
  readonly #asked = new Map<string, AbortController>();
  #looks = 0;

  constructor(options: RemoteAnswersOptions) {
    this.#options = options;
  }

  /** Asks what is open now in this session. Undefined: no turn runs elsewhere. */
  async follow(session: Followed | undefined, view: ScreenView): Promise<void> {
    this.#looks += 1;
    const look = this.#looks;
    const open = session ? openQuestions(view) : [];
    const unknown = session && mayAskUnknown(session.entries) ? await this.#unknown(session) : [];
    if (look === this.#looks) this.#ask(session, [...open, ...unknown]);
  }

  async #unknown(session: Followed): Promise<readonly RemoteQuestion[]> {
    const opened = await openSession(session.store, session.id);
    return unknownQuestions(session, await this.#options.unknown(opened));
  }

  #ask(session: Followed | undefined, open: readonly RemoteQuestion[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const [id, withdrawn] of this.#asked) if (!ids.has(id)) withdrawn.abort();
    for (const question of open) {
      if (!session || this.#asked.has(question.id)) continue;
      const withdrawn = new AbortController();
      this.#asked.set(question.id, withdrawn);
      void this.#answer(session, question, withdrawn.signal).catch((error) => {
        if (!withdrawn.signal.aborted) this.#options.onError(error);
      });
    }
  }

  async #answer(session: Followed, { ask }: RemoteQuestion, signal: AbortSignal): Promise<void> {
    const message = await ask(this.#options.asker, signal);
    if (message) await session.store.post(session.id, message);
  }
}
