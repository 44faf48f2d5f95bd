import { errorMessage, invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type {
  CallHost,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from '@toolfold/core/internal/tool';
import { type InOrder, ownProperty, queueOfWork, raceAbort } from '@toolfold/core/internal/values';
import type {
  AgentEvent,
  AskedElicitation,
  Elicitation,
  ElicitationOptions,
} from '../events/index.ts';
import type { RemoteAnswers } from './inbox.ts';

interface Open {
  readonly elicitation: Elicitation;
  /** The child of this agent that asks, or a child below it. */
  readonly child?: string | undefined;
}

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** What servers ask of an agent's user, and its answers. */
export class Elicitations {
  readonly #ask: ElicitationOptions['ask'];
  readonly #answers: RemoteAnswers<ElicitationAnswer>;
  readonly #open = new Map<string, Open>();
  readonly #inOrder: InOrder = queueOfWork();
  /** Whether there is a user to ask. */
  readonly isOn: boolean;

  /** `answers`: those that do not come from the app's `ask`, also of other processes. */
  constructor(
    options: ElicitationOptions | boolean = true,
    answers: RemoteAnswers<ElicitationAnswer>,
  ) {
    this.#answers = answers;
    this.isOn = options !== false;
    this.#ask = typeof options === 'object' ? options.ask : undefined;
  }

  get open(): readonly Elicitation[] {
    return [...this.#open.values()].map(({ elicitation }) => elicitation);
  }

  /** Waits for the user's answer. `cancel` if the signal fires. Rejects with the error of the app's `ask`. */
  async ask({ signal, subagent, ...elicitation }: AskedElicitation): Promise<ElicitationAnswer> {
    if (!this.isOn) return { action: 'decline' };
    const { elicitationId } = elicitation;
    if (!this.#open.has(elicitationId)) this.#open.set(elicitationId, { elicitation });
    const asked = { ...elicitation, ...(subagent === undefined ? {} : { subagent }) };
    try {
      return await this.#answers.first(elicitationId, {
        signal,
        since: 0,
        ask: (asking) => raceAbort(this.#inTurn({ ...asked, signal: asking }), asking),
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      return { action: 'cancel' };
    } finally {
      this.#open.delete(elicitationId);
    }
  }

  /** Throws `invalid-option` if it is not open, or for what is no answer. */
  answer(elicitationId: string, answer: ElicitationAnswer): void {
    if (!this.#open.has(elicitationId))
      throw new ToolfoldError(
        'invalid-option',
        `No elicitation "${elicitationId}" is open.`,
        'Use the ids in `agent.elicitations`.',
      );
    if (!ACTIONS.has(ownProperty(answer, 'action')))
      throw invalidOption('answer', '{ action: "accept", content }, or "decline" or "cancel"');
    this.#answers.give(elicitationId, answer, Date.now());
  }

  /** Follows the events of subagents: what they ask can be answered at once, and ends with them. */
  follow(event: AgentEvent, child?: string): void {
    if (!this.isOn) return;
    if (event.type === 'subagent') this.follow(event.event, child ?? event.child);
    if (event.type === 'elicitation') {
      const { type: _, ...elicitation } = event;
      this.#open.set(elicitation.elicitationId, { elicitation, child });
    }
    if (event.type === 'elicitation-answered') this.#end(event.elicitationId);
    if (event.type !== 'subagent-end' || child !== undefined) return;
    for (const [id, open] of this.#open) if (open.child === event.child) this.#end(id);
  }

  /** Ends a question without the user. Its answer also waits for a question that has not arrived yet. */
  #end(elicitationId: string): void {
    if (!this.#open.delete(elicitationId)) return;
    this.#answers.give(elicitationId, { action: 'cancel' }, Date.now());
  }

  /** Calls the app's `ask` when it has answered what came before. Without one, the answer comes another way. */
  #inTurn(asked: AskedElicitation): Promise<ElicitationAnswer> {
    const ask = this.#ask;
    if (!ask) return new Promise(() => {});
    return this.#inOrder(async () => {
      asked.signal.throwIfAborted();
      const given = await raceAbort(ask(asked), asked.signal);
      if (ACTIONS.has(ownProperty(given, 'action'))) return given;
      throw invalidOption('elicitation.ask', 'a function that resolves to { action, content }');
    });
  }
}

/** What the hosts of an agent's calls need. */
interface CallHostParts {
  /** The user behind the agent. */
  readonly user: object;
  readonly elicitations: Elicitations;
  readonly sample: (request: SamplingRequest) => Promise<SamplingAnswer>;
  /** The name of the call, which no other call has. */
  readonly callId: string;
  /** Emits an event of the call. */
  readonly emit: (event: AgentEvent) => void;
}

/** The host of one call: its requests and notices become events of the turn. */
export function callHost(
  { id, name }: { readonly id: string; readonly name: string },
  { user, elicitations, sample, callId, emit }: CallHostParts,
): CallHost {
  return {
    owner: user,
    callId,
    ...(elicitations.isOn && {
      elicit: async ({ signal, ...request }) => {
        // Unique beyond this agent, because a subagent's question is answered by the parent's user.
        const about = { elicitationId: globalThis.crypto.randomUUID(), id, name };
        emit({ type: 'elicitation', ...about, ...request });
        let answer: ElicitationAnswer = { action: 'cancel' };
        try {
          answer = await elicitations.ask({ ...about, ...request, signal });
        } catch (error) {
          emit({ type: 'warning', text: `The user could not be asked: ${errorMessage(error)}` });
        }
        emit({ type: 'elicitation-answered', ...about, action: answer.action });
        return answer;
      },
    }),
    sample,
    onProgress: (progress) => emit({ type: 'tool-progress', id, name, ...progress }),
    onLog: (log) => emit({ type: 'tool-log', id, name, ...log }),
  };
}
