import type {
  ApprovalRequest,
  ScreenCall,
  ScreenTurn,
  ScreenView,
} from '@toolfold/agent/internal/events';
import { inboxMessage, type UnknownCall } from '@toolfold/agent/internal/options';
import {
  type Entry,
  type InboxMessage,
  openSession,
  type Session,
} from '@toolfold/agent/internal/sessions';
import { SUBAGENTS } from '@toolfold/agent/internal/tasks';
import { formatCount, ownProperties, pick } from '@toolfold/core/internal/values';
import type { Asker, Question } from '../questions/index.ts';
import { allSessions, readTranscript } from '../stored-sessions/index.ts';

/** What is known of the session of the other process. */
type FollowedSession = Pick<Session, 'id' | 'store' | 'entries'>;

interface RemoteQuestionsOptions {
  readonly asker: Asker;
  /** The calls of a session whose outcome is unknown, as seen from outside. */
  readonly unknown: (session: Session) => Promise<readonly UnknownCall[]>;
  readonly onError: (error: unknown) => void;
}

/**
 * Asks here what another process asks its user, and sends it the answers. A question is withdrawn when it is
 * answered there.
 */
export class RemoteQuestions {
  readonly #options: RemoteQuestionsOptions;
  readonly #asked = new Map<string, AbortController>();
  #session: FollowedSession | undefined;
  #open: readonly RemoteQuestion[] = [];
  /** The questions about unknown outcomes. They are looked for once for each state of the entries. */
  #unknown: readonly RemoteQuestion[] = [];

  constructor(options: RemoteQuestionsOptions) {
    this.#options = options;
  }

  /** Asks what is open now in this session. Undefined: no turn runs elsewhere. */
  async follow(session: FollowedSession | undefined, view: ScreenView): Promise<void> {
    const before = this.#session;
    this.#session = session;
    this.#open = session ? openQuestions(view.turns.at(-1) ?? { blocks: [] }) : [];
    if (session?.id !== before?.id) this.#unknown = [];
    this.#ask();
    if (session === undefined || session.entries === before?.entries) return;
    const isAsked = undecidedCalls(session.entries).length > 0;
    const opened = isAsked && (await openSession(session.store, session.id));
    const unknown = opened
      ? await unknownQuestions(session, await this.#options.unknown(opened))
      : [];
    if (session.entries !== this.#session?.entries) return;
    this.#unknown = unknown;
    this.#ask();
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
      void question
        .ask(this.#options.asker, withdrawn.signal)
        .then((message) => message && session.store.post(session.id, message))
        .catch((error) => {
          if (!withdrawn.signal.aborted) this.#options.onError(error);
        });
    }
  }
}

/** A question that another process asks its user. */
interface RemoteQuestion {
  readonly id: string;
  /** Asks it here. Resolves with the message that answers it there. */
  readonly ask: (asker: Asker, signal: AbortSignal) => Promise<InboxMessage | undefined>;
}

/** The approvals and the forms that a turn waits for, those of its subagents included. `subagent`: their task ids. */
function openQuestions(
  { blocks }: Pick<ScreenTurn, 'blocks'>,
  subagent?: string,
): readonly RemoteQuestion[] {
  return blocks.flatMap((block) => {
    if (block.kind !== 'call') return [];
    const below = block.children.flatMap(({ task, turns }) => {
      const path = subagent === undefined ? task : `${subagent}/${task}`;
      return turns.flatMap((turn) => openQuestions(turn, path));
    });
    return [...questionsOf(block, pick({ subagent }, 'subagent')), ...below];
  });
}

function questionsOf(
  { status, approval, live, ...call }: ScreenCall,
  asker: Pick<ApprovalRequest, 'subagent'>,
): readonly RemoteQuestion[] {
  const forms = (live?.elicitations ?? []).map(
    ({ type: _, ...asked }): RemoteQuestion => ({
      id: asked.elicitationId,
      ask: async ({ elicit }, signal) =>
        inboxMessage('form', {
          [asked.elicitationId]: await elicit({ ...asked, ...asker, signal }),
        }),
    }),
  );
  const { approvalId: id, askedBy = 'hook' } = approval ?? {};
  if (status !== 'asked' || id === undefined) return forms;
  const request = {
    ...{ ...pick(call, 'id', 'name'), arguments: call.arguments, ...asker },
    ...{ askedBy, ...pick(approval ?? {}, 'reason', 'askKey') },
  };
  const ask: RemoteQuestion['ask'] = async ({ approve }, signal) =>
    inboxMessage('answer', { [id]: await approve({ ...request, signal }) });
  return [...forms, { id, ask }];
}

/** The questions about these calls, which are unknown as seen from outside. Those that are decided are left out. */
async function unknownQuestions(
  { id, store, entries }: FollowedSession,
  calls: readonly UnknownCall[],
): Promise<readonly RemoteQuestion[]> {
  const open = new Set(undecidedCalls(entries));
  for await (const child of allSessions(store, id)) {
    // It stands before the ids of the calls of this subagent.
    const name = `${child.id.slice(id.length + 1)}/`;
    if (!calls.some((call) => call.id.startsWith(name))) continue;
    for (const one of undecidedCalls(await store.read(child.id))) open.add(name + one);
  }
  return calls
    .filter((call) => open.has(call.id))
    .map((call) => ({
      id: call.id,
      ask: async ({ decide }, signal) => {
        const choice = await decide({ ...call, signal });
        return choice && inboxMessage('unknown', { [call.id]: choice });
      },
    }));
}

/**
 * The ids of calls without a result that had started before the last turn, and of which it has said nothing yet. A call
 * of subagents goes on in it, and theirs may be such calls.
 */
function undecidedCalls(entries: readonly Entry[]): readonly string[] {
  const begin = entries.findLastIndex(({ kind }) => kind === 'turn');
  const undecided = new Set<string>();
  for (const [at, { kind, body }] of entries.entries()) {
    const { id, name } = ownProperties(body);
    if (typeof id !== 'string') continue;
    const isDecided = at > begin && (kind === 'start' || kind === 'unknown') && name !== SUBAGENTS;
    if (kind === 'start' && at < begin) undecided.add(id);
    else if (kind === 'result' || isDecided) undecided.delete(id);
  }
  return [...undecided];
}

/** Whether the last turn has not ended: its process was killed, or it waits for approval. Then it can go on. */
export function isInterrupted(entries: readonly Entry[]): boolean {
  const from = entries.findLastIndex(({ kind, body }) => kind === 'turn' && body.how === 'send');
  const { turns, end } = readTranscript(entries.slice(Math.max(0, from)));
  return turns > 0 && (end === undefined || end.reason === 'approval');
}

/** Asks whether such a turn goes on. */
export class ContinueOffer {
  #open: AbortController | undefined;

  /** Undefined if it does not, or nothing is asked. `gone`: the user said yes, and another process has ended the turn. */
  async ask(
    { store, id }: Pick<Session, 'store' | 'id'>,
    asker: Asker,
    isIdle: () => boolean,
  ): Promise<'yes' | 'gone' | undefined> {
    // Another process may have written them.
    const entries = await store.read(id);
    if (!isIdle() || !isInterrupted(entries)) return;
    this.#open = new AbortController();
    const { signal } = this.#open;
    const answer = await asker.ask(continueQuestion(entries), signal).catch(() => undefined);
    if (answer?.choice !== 'yes') return;
    return isInterrupted(await store.read(id)) ? 'yes' : 'gone';
  }

  takeBack(): void {
    this.#open?.abort();
  }
}

/** The question whether such a turn goes on, with what it has open. */
function continueQuestion(entries: readonly Entry[]): Question {
  const { open } = readTranscript(entries);
  const fact = (kind: string, words: string): string[] => {
    const count = open.filter(({ state }) => state === kind).length;
    return count === 0 ? [] : [`  ${words}: ${formatCount(count, 'call')}`];
  };
  return {
    kind: 'continue',
    subject: 'The last turn stopped in its middle.',
    details: [
      ...fact('waiting', 'Waiting for your approval'),
      ...fact('unknown', 'Started, with an unknown outcome'),
    ],
    text: 'Go on with it?',
    choices: [
      { id: 'yes', label: 'Yes, go on', line: { letters: 'y', words: 'yes' } },
      { id: 'no', label: 'No, not now', line: { letters: 'n', words: 'no' } },
    ],
    marked: 'yes',
  };
}
