import { isRecord, pick, raceAbort } from '@toolfold/core/internal/values';
import type { LanguageModel } from 'ai';
import { plain, plainEvent, readAskedBy } from '../events/index.ts';
import { Log } from '../log/index.ts';
import {
  type Agent,
  type AgentFold,
  type AgentOptions,
  identify,
  type Lineage,
  modelName,
  settingsOf,
} from '../options/index.ts';
import { roleIn } from '../routing/index.ts';
import type { Session } from '../sessions/index.ts';
import {
  type AnswerFormat,
  type ChildTurnEnd,
  resultOf,
  type Subagents,
  type SubagentTask,
  type Work,
  type WorkOptions,
  type WorkResult,
} from '../tasks/index.ts';
import { namedByParent } from './unknown-calls.ts';

/** Maximum characters of one answer, reasoning and arguments included. A child with a longer answer is stopped. */
const MAX_ANSWER = 1_000_000;

/** Options of a worker. */
export interface WorkerOptions extends Pick<Lineage, 'user' | 'remoteAnswers'> {
  readonly subagents: Subagents;
  readonly fold: AgentFold;
  /** The model of children whose role does not set one. */
  readonly model: LanguageModel;
  /** Options that children inherit from the parent agent. `approvals` has no `ask`: the engine forwards questions. */
  readonly inherited?: Pick<
    AgentOptions,
    'categories' | 'models' | 'settings' | 'maxRounds' | 'maxRequests' | 'maxTokens' | 'routing'
  > & {
    readonly approvals?: Pick<NonNullable<AgentOptions['approvals']>, 'mode' | 'allow'>;
    /** Whether the parent's user answers what servers ask. */
    readonly elicitation?: boolean;
  };
  /** Receives the agents of children while they work, by child name, if the parent is in this process. */
  readonly running?: Map<string, Pick<Agent, 'cancelSubagent'>>;
  /** The session of a child, by its name. With it, a child goes on where an earlier process left it. */
  readonly sessionOf?: ((child: string) => Promise<Session>) | undefined;
  /** Asks the parent's user about a call whose outcome is unknown, if the parent is in this process. */
  readonly onUnknown?: AgentOptions['onUnknown'];
}

/** Creates an agent that works for a parent agent. It goes on with the conversation of its log. */
export type BeginChild = (options: AgentOptions, lineage: Lineage, log: Log) => Agent;

/** Runs each task with an agent created by `begin`. Each conversation is dropped after its answer. */
export function workWith(begin: BeginChild, options: WorkerOptions): Work {
  return async (task, work) => {
    const { child } = task;
    const { user, remoteAnswers, running, sessionOf } = options;
    const flood = new AbortController();
    const onLength = (characters: number) => {
      if (characters > MAX_ANSWER) flood.abort();
    };
    const session = await sessionOf?.(child);
    const log = new Log(session, [], { hasLater: false });
    const { outcome, end: ended } = log.state;
    if (outcome) return outcome as WorkResult;
    const lineage = { ...task, user, remoteAnswers, stop: work.stop, onLength };
    const agent = begin(await agentOptions(options, task, work), lineage, log);
    const signal = AbortSignal.any([work.signal, flood.signal]);
    const turn = agent.canResume
      ? () => agent.resume({ signal })
      : () => agent.send(promptOf(task), { signal });
    let end: ChildTurnEnd = { reason: ended ?? 'cancelled' };
    running?.set(child, agent);
    try {
      // Events are read to the end even if the answer is too long: the usage comes last.
      for await (const event of ended === undefined ? turn() : []) {
        work.tell(plainEvent(event));
        if (event.type === 'end') end = event;
      }
    } finally {
      running?.delete(child);
    }
    const result = resultOf(log.state.texts, end, flood.signal.aborted);
    if (session && !work.signal.aborted) await log.note(['outcome', result]);
    return result;
  };
}

async function agentOptions(
  { subagents, fold, model, inherited = {}, onUnknown }: WorkerOptions,
  task: SubagentTask,
  { ask, signal }: WorkOptions,
): Promise<AgentOptions> {
  const { options, tools } = subagents;
  const { role, depth, budget } = task;
  const childModel = (await raceAbort(Promise.resolve(options.model?.(role)), signal)) ?? model;
  const identity = identify(childModel);
  // Without a price, nobody can tell when the budget is used up.
  if (budget?.cost !== undefined && !settingsOf(inherited.models ?? {}, identity).price) {
    throw new Error(
      `The budget is in money, but the price of ${modelName(identity)} is not known. Set models["${modelName(identity)}"].price.`,
    );
  }
  const below = { ...options, engine: undefined, budget: budget ?? options.budget };
  let questions = 0;
  const begun = (asker: string | undefined) => ({
    id: `${++questions}`,
    ...(asker === undefined ? {} : { asker }),
  });
  // Headers may hold a key, and are meant for the endpoint of the parent's model.
  const { headers: _headers, ...settings } = inherited.settings ?? {};
  return {
    ...inherited,
    ...(childModel === model ? {} : { settings }),
    fold,
    model: childModel,
    onUnknown: onUnknown && ((call) => onUnknown(namedByParent(call, task))),
    role,
    instructions: options.instructions ?? CHILD_INSTRUCTIONS,
    hooks: options.hooks ?? {},
    // A task is one message. Its words are good enough for a preload, but not to hide other tools.
    routing: inherited.routing === 'off' ? 'off' : 'preload',
    approvals: {
      ...inherited.approvals,
      ask: ({ subagent, ...asked }) => {
        const about = { ...pick(asked, 'name', 'reason'), ...readAskedBy(asked) };
        return ask({ ...begun(subagent), ...about, arguments: plain(asked.arguments) });
      },
    },
    elicitation: inherited.elicitation !== false && {
      ask: async ({ signal: _, subagent, ...elicitation }) => {
        const question = { ...begun(subagent), name: elicitation.name, arguments: {}, elicitation };
        return (await ask(question)).elicitation ?? { action: 'decline' };
      },
    },
    subagents: depth > 0 ? { tools, options: below } : undefined,
  };
}

/** AI SDK settings that children inherit: how the model is called, and which tools are active. No callbacks or contexts. */
const SETTINGS: ReadonlySet<string> = new Set(
  (
    'maxOutputTokens temperature topP topK presencePenalty frequencyPenalty stopSequences seed ' +
    'reasoning providerOptions headers maxRetries activeTools toolOrder toolCallConcurrency'
  ).split(' '),
);

/** Provider options that children do not inherit: they belong to one conversation or add tools outside of roles. */
const OF_THE_PARENT: ReadonlySet<string> = new Set(
  'conversation previousResponseId container mcpServers'.split(' '),
);

/** What the children of an agent inherit from it. */
export function inheritedFrom(options: AgentOptions): NonNullable<WorkerOptions['inherited']> {
  const { categories, models, settings = {}, routing, subagents, approvals = {} } = options;
  const { mode, allow } = approvals;
  // The limit of the agent's model is not inherited, because a child may have another model.
  const ownRounds = roleIn(options.fold.roles, options.role)?.maxRounds ?? options.maxRounds;
  const inherited = filtered(settings, (name) => SETTINGS.has(name));
  const { providerOptions } = inherited;
  return {
    categories,
    models,
    routing,
    ...pick(options, 'maxRequests', 'maxTokens'),
    maxRounds: subagents?.options.maxRounds ?? ownRounds,
    settings: isRecord(providerOptions)
      ? { ...inherited, providerOptions: withoutParents(providerOptions) }
      : inherited,
    approvals: { mode, allow },
    elicitation: options.elicitation !== false,
  };
}

function withoutParents(byProvider: object): object {
  const entries = Object.entries(byProvider).map(([provider, options]) => [
    provider,
    isRecord(options) ? filtered(options, (name) => !OF_THE_PARENT.has(name)) : options,
  ]);
  return Object.fromEntries(entries);
}

function filtered(record: object, isKept: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isKept(name)));
}

/** The default system text of children. All children share it, so that they share a cached prefix. */
const CHILD_INSTRUCTIONS: string = [
  'You are a subagent: another agent has given you one task, and works with your final answer.',
  'Nobody reads along and nobody can answer questions: decide what is open by yourself, and say in the answer what you assumed.',
  'Use the tools you have where they help. Do the task and nothing beyond it.',
  'If something cannot be done, say what you tried and what stands in the way; never make anything up.',
  'Only your last message is passed on.',
].join('\n');

const HOW_TO_ANSWER: Readonly<Record<AnswerFormat, string>> = {
  structured:
    'Answer with one JSON object and nothing around it: {"summary": "two or three sentences", "findings": ["one fact each, with its source where there is one"], "open_questions": ["what could not be settled"]}.',
  concise: 'Answer in at most five sentences.',
  detailed: 'Answer with a full report: what you found, how, and what it rests on.',
};

const HEADINGS = {
  shared: '# What everybody working on this knows',
  context: '# What you need to know',
  task: '# Your task',
  answer: '# Your answer',
} as const;

/** The prompt of a child. The shared context comes first, so that providers can cache it for all children. */
export function promptOf({ task, context, sharedContext, format }: SubagentTask): string {
  const parts = [
    sharedContext === undefined ? [] : [HEADINGS.shared, quoted(sharedContext)],
    context === undefined ? [] : [HEADINGS.context, quoted(context)],
    [HEADINGS.task, quoted(task)],
    [HEADINGS.answer, HOW_TO_ANSWER[format]],
  ];
  return parts.flat().join('\n\n');
}

/** Quotes lines that look like a heading of the prompt. Such lines may come from pasted, untrusted text. */
function quoted(text: string): string {
  const headings: readonly string[] = Object.values(HEADINGS);
  const lines = text.split(/(\r\n?|[\n\v\f\u0085\u2028\u2029])/);
  return lines.map((line) => (headings.includes(line.trim()) ? `> ${line}` : line)).join('');
}
