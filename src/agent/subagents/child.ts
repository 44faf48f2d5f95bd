import type { LanguageModel } from 'ai';
import { errorMessage } from '../../errors.ts';
import { own } from '../../tools/json.ts';
import { raceAbort } from '../../tools/race-abort.ts';
import type { Agent, AgentFold, AgentOptions } from '../agent-options.ts';
import type { AgentEvent, EndReason } from '../events.ts';
import type { Lineage } from '../lineage.ts';
import { identify, modelName, settingsOf } from '../model-identity.ts';
import { isSaying } from './answer.ts';
import type { SubagentTask, Work, WorkOptions, WorkResult } from './engine.ts';
import { plain, plainEvent } from './progress.ts';
import { CHILD_INSTRUCTIONS, promptOf } from './prompt.ts';
import type { Subagents } from './tool.ts';

/** Characters of one answer, thoughts and arguments included, after which a child is stopped: it no longer answers, it floods. */
const MAX_ANSWER = 1_000_000;

/** Characters of an answer that are passed on: far more than a report has room for. */
const MAX_PASSED_ON = 200_000;

/** What a process needs to do tasks in. */
export interface WorkerOptions {
  readonly subagents: Subagents;
  readonly fold: AgentFold;
  /** Of children whose role has no model of its own. */
  readonly model: LanguageModel;
  /** What children have of the agent that sends them, beside what their tasks say; `approvals` without a way to ask. */
  readonly inherited?: Pick<
    AgentOptions,
    'roles' | 'categories' | 'models' | 'settings' | 'maxRounds' | 'routing'
  > & { readonly approvals?: Pick<NonNullable<AgentOptions['approvals']>, 'mode' | 'allow'> };
}

/** Makes an agent that works for another one. */
export type BeginChild = (options: AgentOptions, lineage: Lineage) => Agent;

/** Does tasks by agents of their own, made with `begin`: a conversation each, forgotten with its answer. */
export function workWith(begin: BeginChild, options: WorkerOptions): Work {
  return async (task, work) => {
    const { child, task: asked, ceiling, without, depth } = task;
    const flood = new AbortController();
    const wrote = (characters: number) => {
      if (characters > MAX_ANSWER) flood.abort();
    };
    const lineage = { child, task: asked, ceiling, without, depth, stop: work.stop, wrote };
    const agent = begin(await agentOptions(options, task, work), lineage);
    const answer = new Answer(flood.signal);
    const signal = AbortSignal.any([work.signal, flood.signal]);
    // To its end where it floods too: what it has cost comes last.
    for await (const event of agent.send(promptOf(task), { signal })) {
      work.tell(plainEvent(event));
      answer.take(event);
    }
    return answer.result();
  };
}

async function agentOptions(
  { subagents, fold, model, inherited = {} }: WorkerOptions,
  task: SubagentTask,
  { ask, signal }: WorkOptions,
): Promise<AgentOptions> {
  const { options, tools } = subagents;
  const { role, depth, budget } = task;
  const used = (await raceAbort(Promise.resolve(options.model?.(role)), signal)) ?? model;
  const identity = identify(used);
  // Nobody could say when the budget is spent.
  if (budget?.cost !== undefined && !settingsOf(inherited.models ?? {}, identity).price) {
    throw new Error(
      `The price of ${modelName(identity)} is not known, and the budget is in money.`,
    );
  }
  const below = { ...options, engine: undefined, budget: budget ?? options.budget };
  let asked = 0;
  // They may hold a key, and are for where the parent's model is.
  const { headers: _headers, ...settings } = inherited.settings ?? {};
  return {
    ...inherited,
    ...(used === model ? {} : { settings }),
    fold,
    model: used,
    role,
    instructions: options.instructions ?? CHILD_INSTRUCTIONS,
    hooks: options.hooks ?? {},
    // A task is one message: what its words match is worth a hint, and no reason to hide the rest.
    routing: inherited.routing === 'off' ? 'off' : 'preload',
    approvals: {
      ...inherited.approvals,
      ask: ({ name, arguments: given, reason, subagent }) =>
        ask({
          id: `${++asked}`,
          ...(subagent === undefined ? {} : { asker: subagent }),
          name,
          arguments: plain(given),
          ...(reason === undefined ? {} : { reason }),
        }),
    },
    subagents: depth > 0 ? { tools, options: below } : undefined,
  };
}

const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  rounds: 'It used all its rounds of tools',
  length: "It was cut off at the model's limit",
  'content-filter': "It was stopped by the provider's filter",
  other: 'Its provider ended it, and not as usual',
};

/** The last answer of one child, as far as it has come. */
class Answer {
  /** What the latest request has brought; what it says between calls is no answer. */
  #latest = '';
  #said = '';
  #end: Extract<AgentEvent, { type: 'end' }> | undefined;
  /** Fires when the answer has no end. */
  readonly #flood: AbortSignal;

  constructor(flood: AbortSignal) {
    this.#flood = flood;
  }

  take(event: AgentEvent): void {
    if (event.type === 'request') {
      this.#said = this.#text();
      this.#latest = '';
    }
    if (event.type === 'text') this.#latest += event.text;
    if (event.type === 'end') this.#end = event;
  }

  result(): WorkResult {
    const text = this.#text().slice(0, MAX_PASSED_ON);
    if (this.#flood.aborted) {
      return { status: 'incomplete', text, error: 'It was stopped: its answer had no end.' };
    }
    const { reason, error } = this.#end ?? { reason: 'cancelled' as const, error: undefined };
    if (reason === 'error') return { status: 'failed', text, error: told(error) };
    const why = CUT_SHORT[reason];
    if (!isSaying(text)) {
      return { status: 'failed', text: '', error: `${why ?? 'It ended'} without an answer.` };
    }
    return why === undefined
      ? { status: 'done', text }
      : { status: 'incomplete', text, error: `${why}: the answer may be partial.` };
  }

  #text(): string {
    return isSaying(this.#latest) ? this.#latest : this.#said;
  }
}

/** The message of an error, with the status of the response where it was one. */
function told(error: unknown): string {
  const status = own(error, 'statusCode');
  const message = errorMessage(error);
  return typeof status === 'number' ? `${message} (status ${status})` : message;
}
