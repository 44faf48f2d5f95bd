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
  #session: Followed | undefined;
  #open: readonly RemoteQuestion[] = [];
  /** The questions about unknown outcomes. They are looked for once for each state of the entries. */
  #unknown: readonly RemoteQuestion[] = [];

  constructor(options: RemoteAnswersOptions) {
    this.#options = options;
  }

  /** Asks what is open now in this session. Undefined: no turn runs elsewhere. */
  async follow(session: Followed | undefined, view: ScreenView): Promise<void> {
    const before = this.#session;
    this.#session = session;
    this.#open = session ? openQuestions(view) : [];
    if (session?.id !== before?.id) this.#unknown = [];
    this.#ask();
    if (session === undefined || session.entries === before?.entries) return;
    const unknown = mayAskUnknown(session.entries) ? await this.#lookUp(session) : [];
    if (session.entries !== this.#session?.entries) return;
    this.#unknown = unknown;
    this.#ask();
  }

  async #lookUp(session: Followed): Promise<readonly RemoteQuestion[]> {
    const opened = await openSession(session.store, session.id);
    return unknownQuestions(session, await this.#options.unknown(opened));
  }

  #ask(): void {
    const session = this.#session;
    const questions = [...this.#open, ...this.#unknown];
    const ids = new Set(questions.map(({ id }) => id));
    for (const [id, withdrawn] of this.#asked) if (!ids.has(id)) withdrawn.abort();
    for (const question of questions) {
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
