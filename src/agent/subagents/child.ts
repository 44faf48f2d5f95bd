import type { LanguageModel } from 'ai';
import { errorMessage } from '../../errors.ts';
import type { Agent, AgentFold, AgentOptions, Lineage } from '../agent-options.ts';
import type { AgentEvent, EndReason } from '../events.ts';
import { identify, modelName, settingsOf } from '../model-identity.ts';
import type { SubagentTask, Work, WorkOptions, WorkResult } from './engine.ts';
import { plain, plainEvent } from './progress.ts';
import { CHILD_INSTRUCTIONS, promptOf } from './prompt.ts';
import type { Subagents } from './tool.ts';

/** Characters of one answer, thoughts included, after which a child is stopped: it no longer answers, it floods. */
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

/** Does tasks by agents of their own, made with `begin`: a conversation each, forgotten with its answer. */
export function workWith(begin: (options: AgentOptions) => Agent, options: WorkerOptions): Work {
  return async (task, work) => {
    const agent = begin(await agentOptions(options, task, work));
    const answer = new Answer();
    const flood = new AbortController();
    const signal = AbortSignal.any([work.signal, flood.signal]);
    for await (const event of agent.send(promptOf(task), { signal })) {
      work.tell(plainEvent(event));
      answer.take(event);
      // To its end for all that: what it has cost comes last.
      if (answer.isFlooded) flood.abort();
    }
    return answer.result();
  };
}

async function agentOptions(
  { subagents, fold, model, inherited = {} }: WorkerOptions,
  task: SubagentTask,
  { ask }: WorkOptions,
): Promise<AgentOptions> {
  const { options, tools } = subagents;
  const { child, role, ceiling, without, depth, budget } = task;
  const used = (await options.model?.(role)) ?? model;
  const identity = identify(used);
  // Nobody could say when the budget is spent.
  if (budget?.cost !== undefined && !settingsOf(inherited.models ?? {}, identity)?.price) {
    throw new Error(
      `The price of ${modelName(identity)} is not known, and the budget is in money.`,
    );
  }
  const { engine: _, ...own } = options;
  const below = { ...own, ...(budget ? { budget } : {}) };
  const lineage: Lineage = { child, ceiling, without, depth };
  let asked = 0;
  return {
    ...inherited,
    fold,
    model: used,
    ...(role === undefined ? {} : { role }),
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
    ...(depth > 0 ? { subagents: { tools, options: below } } : {}),
    lineage,
  };
}

const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  rounds: 'It used all its rounds of tools: the answer may be partial.',
  length: "Its answer was cut off at the model's limit.",
};

/** The last answer of one child, as far as it has come. */
class Answer {
  /** What the latest request has brought; what it says between calls is no answer. */
  #latest = '';
  #said = '';
  #length = 0;
  #end: Extract<AgentEvent, { type: 'end' }> | undefined;

  get isFlooded(): boolean {
    return this.#length > MAX_ANSWER;
  }

  take(event: AgentEvent): void {
    if (event.type === 'request') {
      this.#said = this.#text();
      this.#latest = '';
      this.#length = 0;
    }
    if (this.isFlooded && event.type !== 'end') return;
    if (event.type === 'text') this.#latest += event.text;
    if (event.type === 'text' || event.type === 'reasoning') this.#length += event.text.length;
    if (event.type === 'end') this.#end = event;
  }

  result(): WorkResult {
    const text = this.#text().slice(0, MAX_PASSED_ON);
    if (this.isFlooded) {
      return { status: 'incomplete', text, error: 'It was stopped: its answer had no end.' };
    }
    const { reason, error } = this.#end ?? { reason: 'cancelled' as const, error: undefined };
    if (reason === 'error') return { status: 'failed', text, error: errorMessage(error) };
    if (text.trim() === '') {
      const none = 'It ended without an answer.';
      return { status: 'failed', text: '', error: CUT_SHORT[reason] ?? none };
    }
    const why = CUT_SHORT[reason];
    return why === undefined
      ? { status: 'done', text }
      : { status: 'incomplete', text, error: why };
  }

  #text(): string {
    return this.#latest.trim() === '' ? this.#said : this.#latest;
  }
}
