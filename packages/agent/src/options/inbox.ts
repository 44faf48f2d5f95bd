import * as z from '@toolfold/config/internal/schemas.ts';
import type { ElicitationAnswer } from '@toolfold/core/internal/tool';
import { isRecord, type JsonObject, Recent } from '@toolfold/core/internal/values';
import type { UserModelMessage } from 'ai';
import { plainValue, type UnknownChoice } from '../entries/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';
import type { InboxMessage, PostedMessage } from '../sessions/index.ts';

/** The answers that another process may give, by the kind of their message. */
interface PostedAnswers {
  /** Answers to approvals, by approval id. */
  readonly answer: ApprovalAnswer;
  /** Answers to what MCP servers ask, by elicitation id. */
  readonly form: ElicitationAnswer;
  /** Decisions about calls whose outcome is unknown, by the ids that `agent.unknown()` lists. */
  readonly unknown: UnknownChoice;
}

/** What the messages to the process that runs a turn say, by their kind. */
export type InboxBodies = {
  readonly [KIND in keyof PostedAnswers]: Readonly<Record<string, PostedAnswers[KIND]>>;
} & {
  /** A message of the user. The id of the inbox message is the id of this one. */
  readonly user: { readonly text: string; readonly when: When };
  /** Ends the turn. */
  readonly cancel: Readonly<Record<string, never>>;
  /** Cancels one subagent by its name, at any level. */
  readonly 'cancel-subagent': { readonly child: string };
};

/** Answers of other processes to the questions of an agent. Those to approvals are shared with its subagents. */
export type Remote = { readonly [KIND in keyof PostedAnswers]: RemoteAnswers<PostedAnswers[KIND]> };

/** A new message for `store.post`. Each has an id of its own, unless its caller gives one. */
export function inboxMessage<KIND extends InboxMessage['kind']>(
  kind: KIND,
  body: InboxBodies[KIND],
  id: string = globalThis.crypto.randomUUID(),
): InboxMessage {
  return { id, kind, body: plainValue(body) as JsonObject };
}

interface Holder {
  readonly remote: Remote;
  readonly steering: SteeringQueue;
  readonly team: { cancel(child: string): Promise<boolean> } | undefined;
}

/** Does what a message of another process asks for; `stop`: to cancel the turn. What is malformed or not known is ignored. */
export function takeMessage(
  posted: PostedMessage,
  { remote, steering, team }: Holder,
  stop: () => void,
): void {
  const { id, kind, body, at } = posted;
  if (!isRecord(body)) return;
  if (kind === 'cancel') stop();
  else if (kind === 'user') {
    const given = readUserMessage(posted);
    const message = { role: 'user' as const, content: given?.text ?? '' };
    if (given) void steering.add({ id, message, when: given.when, posted: at });
  } else if (kind === 'cancel-subagent') {
    if (typeof body.child === 'string') void team?.cancel(body.child).catch(() => {});
  } else if (Object.hasOwn(READ, kind)) {
    for (const [question, value] of Object.entries(body)) {
      const answer = READ[kind].safeParse(value);
      if (answer.success) remote[kind].give(question, answer.data as never, at);
    }
  }
}

/** A message of the user. Undefined for another one, and for what is no message. */
export function readUserMessage({
  id,
  kind,
  body,
}: PostedMessage): InboxBodies['user'] | undefined {
  if (kind !== 'user' || id === '' || id.length > MAX_ID) return;
  const read = USER_MESSAGE.safeParse(body);
  return read.success && read.data.text.trim() !== '' ? read.data : undefined;
}

/** Most characters of the id of a message of the user. */
export const MAX_ID = 200;

const USER_MESSAGE: z.ZodMiniType<InboxBodies['user']> = z.object({
  text: z.string(),
  when: z.enum(['now', 'after']),
});

/** How the answers are read. Messages may come from any version of any program: each schema takes over what it knows. */
const READ: { readonly [KIND in keyof PostedAnswers]: z.ZodMiniType<PostedAnswers[KIND]> } = {
  answer: z.object({
    approved: z.boolean(),
    scope: z.optional(z.enum(['once', 'session', 'always'])),
    reason: z.optional(z.string()),
    tools: z.optional(z.record(z.string(), z.string())),
  }),
  form: z.union([
    z.object({ action: z.enum(['decline', 'cancel']) }),
    z.object({
      action: z.literal('accept'),
      content: z.optional(
        z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
      ),
    }),
  ]),
  unknown: z.object({
    choice: z.enum(['again', 'happened', 'leave']),
    note: z.optional(z.string()),
  }),
};

/** Questions whose answers are kept while they are not asked yet. */
const MAX_EARLY = 1_000;

interface PostedAnswer<ANSWER> {
  readonly answer: ANSWER;
  /** When it was posted. */
  readonly at: number;
}

interface InboxQuestion<RESULT> {
  readonly signal: AbortSignal;
  /** When the question was written. What was posted before is an answer to another one. */
  readonly since: number;
  /** Asks the user of this process. Its signal also fires when the question is withdrawn. */
  readonly ask: (signal: AbortSignal) => Promise<RESULT>;
}

/**
 * Answers of other processes to questions of one kind, by the id of the question. An answer that comes before its
 * question is asked here waits for it: questions are asked one after the other, and another process may show
 * all at once. The first answer that was posted after the question was written counts.
 */
export class RemoteAnswers<ANSWER> {
  readonly #early = new Recent<readonly PostedAnswer<ANSWER>[]>(MAX_EARLY);
  readonly #waiting = new Map<string, (given: PostedAnswer<ANSWER>) => void>();

  /** Gives an answer to its question, now or when the question is asked. */
  give(id: string, answer: ANSWER, at: number): void {
    const take = this.#waiting.get(id);
    if (take) {
      take({ answer, at });
      return;
    }
    const known = this.#early.get(id) ?? [];
    // A message may be given again after the one who took it has ended.
    if (!known.some((given) => given.at === at)) this.#early.set(id, [...known, { answer, at }]);
  }

  /** Whether an answer waits that was posted after the question was written. */
  has(id: string, since: number): boolean {
    return (this.#early.get(id) ?? []).some(({ at }) => at > since);
  }

  /** Removes and returns the first answer that was posted after the question was written. */
  take(id: string, since: number): ANSWER | undefined {
    const first = (this.#early.get(id) ?? []).find(({ at }) => at > since);
    this.#early.delete(id);
    return first?.answer;
  }

  /** The answer of this process's user, or that of another process, whichever comes first. */
  async first<RESULT>(
    id: string,
    { signal, since, ask }: InboxQuestion<RESULT>,
  ): Promise<ANSWER | RESULT> {
    const withdrawn = new AbortController();
    const given = Promise.withResolvers<ANSWER>();
    const accept = ({ answer, at }: PostedAnswer<ANSWER>) => {
      if (at <= since) return;
      given.resolve(answer);
      withdrawn.abort();
    };
    for (const one of this.#early.get(id) ?? []) accept(one);
    this.#early.delete(id);
    this.#waiting.set(id, accept);
    try {
      // Nobody is asked what has been answered.
      if (withdrawn.signal.aborted) return await given.promise;
      const either = AbortSignal.any([signal, withdrawn.signal]);
      return await Promise.race([given.promise, ask(either)]);
    } finally {
      this.#waiting.delete(id);
      withdrawn.abort();
    }
  }
}

/** When a message that is sent during a turn reaches the model: with the next request, or behind the answer. */
export type When = 'now' | 'after';

/** A message of the user for the turn that runs. */
interface SteeringMessage {
  /** The id of the message. It is given to the model once. */
  readonly id?: string | undefined;
  readonly message: UserModelMessage;
  readonly when: When;
  /** When another process has posted it. It stays in the inbox until its `user` entry takes it. */
  readonly posted?: number | undefined;
}

interface QueuedMessage extends SteeringMessage {
  readonly taken: (isTaken: boolean) => void;
}

/**
 * What the user writes while a turn runs. First in, first out holds within each kind. The log has a message once its
 * `user` entry is written. What a turn has not taken is not kept here: its sender has it, or the inbox.
 */
export class SteeringQueue {
  #waiting: QueuedMessage[] = [];
  #written = new AbortController();
  /** Whether the model accepts a message of the user behind results. Where not, each one waits for the end of an answer of its own. */
  isAccepted = true;

  /** Adds a message. Resolves with whether the turn has taken it. `signal` takes it back. */
  add(message: SteeringMessage, signal?: AbortSignal): Promise<boolean> {
    const { promise, resolve: taken } = Promise.withResolvers<boolean>();
    if (signal?.aborted) return Promise.resolve(false);
    const waiting = { ...message, taken };
    this.#waiting.push(waiting);
    const leave = () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      if (!this.isDue) this.#renew();
      taken(false);
    };
    signal?.addEventListener('abort', leave, { once: true });
    if (this.isDue) this.#written.abort();
    return promise;
  }

  /** Whether a message waits for the next request. Calls that have not begun do not run then. */
  get isDue(): boolean {
    return this.isAccepted && this.#waiting.some(({ when }) => when === 'now');
  }

  /** Whether any message waits. */
  get hasAny(): boolean {
    return this.#waiting.length > 0;
  }

  /** Fires when a message comes that is due. A question that is open then is withdrawn. */
  get written(): AbortSignal {
    return this.#written.signal;
  }

  /** Writes what the next request sends, in one step. `isEnd`: the answer has ended. Rejects as `write`. */
  async take(
    isEnd: boolean,
    write: (due: readonly SteeringMessage[]) => Promise<void>,
  ): Promise<void> {
    const isTaken = ({ when }: SteeringMessage) => isEnd || (this.isAccepted && when === 'now');
    const all = this.#waiting.filter(isTaken);
    // Such a model refuses two messages of the user in a row, too: the next one waits for the next answer.
    const due = this.isAccepted ? all : all.slice(0, 1);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    this.#renew();
    // What cannot be written is not taken.
    const written = write(due);
    for (const { taken } of due)
      void written.then(
        () => taken(true),
        () => taken(false),
      );
    await written;
  }

  /** The turn has ended. */
  end(): void {
    const left = this.#waiting.splice(0);
    this.#renew();
    for (const { taken } of left) taken(false);
  }

  #renew(): void {
    if (this.#written.signal.aborted) this.#written = new AbortController();
  }
}
