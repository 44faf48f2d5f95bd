import { inboxMessage } from '@toolfold/agent/internal/options';
import type { Session } from '@toolfold/agent/internal/sessions';

/** The turn that another process runs in the session, which can be asked to stop. */
export class RemoteTurn {
  readonly #followed: () => Pick<Session, 'id' | 'store'> | undefined;
  #isCancelled = false;

  /** `followed`: the session, while another process runs a turn in it. */
  constructor(followed: () => Pick<Session, 'id' | 'store'> | undefined) {
    this.#followed = followed;
  }

  /** Whether there is one that was not asked to stop. */
  get canCancel(): boolean {
    return this.#followed() !== undefined && !this.#isCancelled;
  }

  /** Asks it to stop, once. Resolves with whether there is one, and rejects if it cannot be asked. */
  async cancel(): Promise<boolean> {
    const session = this.#followed();
    if (!session) return false;
    if (this.#isCancelled) return true;
    this.#isCancelled = true;
    try {
      await session.store.post(session.id, inboxMessage('cancel', {}));
    } catch (error) {
      this.#isCancelled = false;
      throw error;
    }
    return true;
  }

  /** Asks it to stop a subagent. Resolves with whether there is one, and rejects if it cannot be asked. */
  async cancelSubagent(child: string): Promise<boolean> {
    const session = this.#followed();
    if (session) await session.store.post(session.id, inboxMessage('cancel-subagent', { child }));
    return session !== undefined;
  }

  /** It has ended. Another one may begin. */
  ended(): void {
    this.#isCancelled = false;
  }
}
