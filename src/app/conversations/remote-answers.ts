import {
  type ApprovalAnswer,
  inboxMessage,
  type ScreenCall,
  type ScreenTurn,
  type ScreenView,
} from '../../agent/index.ts';
import type { SessionStore } from '../../sessions/index.ts';
import type { Asker } from '../asking/index.ts';

/**
 * Asks here about the calls of a turn that another process runs, and sends it the answers. A question is
 * withdrawn when it is answered there.
 */
export class RemoteAnswers {
  readonly #store: SessionStore;
  readonly #ask: Asker['approve'];
  readonly #onError: (error: unknown) => void;
  readonly #asked = new Map<string, AbortController>();

  constructor(store: SessionStore, ask: Asker['approve'], onError: (error: unknown) => void) {
    this.#store = store;
    this.#ask = ask;
    this.#onError = onError;
  }

  /** Asks about what is open now in this session. Undefined: no turn runs elsewhere. */
  follow(session: string | undefined, view: ScreenView): void {
    const open = session === undefined ? [] : askedCalls(view);
    const ids = new Set(open.map(idOf));
    for (const [id, withdrawn] of this.#asked) if (!ids.has(id)) withdrawn.abort();
    for (const call of open) {
      const id = idOf(call);
      if (session === undefined || id === undefined || this.#asked.has(id)) continue;
      const withdrawn = new AbortController();
      this.#asked.set(id, withdrawn);
      void this.#answer(session, id, call, withdrawn.signal).catch((error) => {
        if (!withdrawn.signal.aborted) this.#onError(error);
      });
    }
  }

  async #answer(session: string, id: string, call: ScreenCall, signal: AbortSignal): Promise<void> {
    const { id: callId, name, arguments: given, approval } = call;
    const { reason, askedBy = 'hook', askKey } = approval ?? {};
    const answer: ApprovalAnswer = await this.#ask({
      ...{ id: callId, name, arguments: given, signal, askedBy },
      ...(reason === undefined ? {} : { reason }),
      ...(askKey === undefined ? {} : { askKey }),
    });
    await this.#store.post(session, inboxMessage('answer', { [id]: answer }));
  }
}

function idOf({ approval }: ScreenCall): string | undefined {
  return approval?.approvalId;
}

/** The calls of the last turn, those of its subagents included, that the user is asked about. */
function askedCalls({ turns }: ScreenView): readonly ScreenCall[] {
  const last = turns.at(-1);
  return last ? callsOf(last).filter(({ status }) => status === 'asked') : [];
}

function callsOf({ blocks }: ScreenTurn): readonly ScreenCall[] {
  return blocks.flatMap((block) =>
    block.kind === 'call'
      ? [block, ...block.children.flatMap(({ turns }) => turns.flatMap(callsOf))]
      : [],
  );
}
