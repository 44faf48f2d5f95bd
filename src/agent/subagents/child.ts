import type { LanguageModel } from 'ai';
import { raceAbort } from '../../tools/values/index.ts';
import type { Agent, AgentFold, AgentOptions, Lineage } from '../options/index.ts';
import { identify, modelName, settingsOf } from '../settings/index.ts';
import {
  plain,
  plainEvent,
  type SubagentTask,
  type Work,
  type WorkOptions,
} from './engine/index.ts';
import { CHILD_INSTRUCTIONS, promptOf } from './prompt.ts';
import { LastAnswer } from './report/index.ts';
import type { Subagents } from './tool/index.ts';

/** Characters of one answer, thoughts and arguments included, after which a child is stopped: it no longer answers, it floods. */
const MAX_ANSWER = 1_000_000;

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
    const answer = new LastAnswer(flood.signal);
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
