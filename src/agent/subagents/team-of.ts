import { invalidOption } from '../../errors.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { ApprovalPolicy, RemoteAnswers } from '../approvals/index.ts';
import type { Elicitations } from '../elicitations/index.ts';
import type { Spending } from '../events/index.ts';
import type { Journal } from '../journal/index.ts';
import type { Agent, AgentOptions, Lineage } from '../options/index.ts';
import { roleIn } from '../roles/index.ts';
import type { Ledger } from '../usage/index.ts';
import { type BeginChild, workWith } from './child.ts';
import { openChild } from './child-session.ts';
import { createInProcessEngine, type Engine, type Work } from './engine/index.ts';
import { Team } from './team.ts';
import { limitsOf, type SubagentOptions } from './tool/index.ts';

/** The parts of an agent that its team uses. */
export interface TeamParts {
  readonly begin: BeginChild;
  /** Set if the agent works for a parent agent. */
  readonly lineage: Lineage | undefined;
  readonly policy: ApprovalPolicy;
  /** Receives the cost of all children. */
  readonly ledger: Pick<Ledger, 'take'>;
  /** The spending that counts against the budget. */
  readonly spent: () => Spending;
  /** The user behind the agent. */
  readonly user: object;
  readonly remoteAnswers: RemoteAnswers;
  readonly elicitations: Pick<Elicitations, 'ask'>;
  readonly journal: Journal;
  /** Decides about a call whose outcome is unknown, of the agent or of a child. */
  readonly choose: NonNullable<AgentOptions['onUnknown']>;
}

/** The team of an agent; undefined without the option `subagents`. */
export function teamOf(options: AgentOptions, parts: TeamParts): Team | undefined {
  const { subagents, fold, model, approvals = {} } = options;
  if (!subagents) return;
  const { begin, lineage, policy, ledger, spent, user, remoteAnswers, journal } = parts;
  const { depth = 1, maxRounds } = subagents.options;
  const { categories, models, settings, routing } = options;
  const { mode, allow } = approvals;
  const inherited = {
    categories,
    models,
    routing,
    maxRounds: maxRounds ?? ownRounds(options),
    settings: inheritedSettings(settings),
    approvals: { mode, allow },
    elicitation: options.elicitation !== false,
  };
  const { session, state } = journal;
  const sessionOf = session && ((child: string) => openChild({ session, state }, child));
  const running = new Map<string, Pick<Agent, 'cancelSubagent'>>();
  const shared = { subagents, fold, model, inherited, user, remoteAnswers, running, sessionOf };
  const work = workWith(begin, { ...shared, onUnknown: parts.choose });
  return new Team({
    options: subagents.options,
    engine: engineOf(subagents.options, work),
    ledger,
    spent,
    stop: lineage?.stop,
    child: lineage?.child,
    depth: lineage?.depth ?? depth,
    user: {
      ask: (request) => policy.settle(request),
      elicit: (asked) => parts.elicitations.ask(asked),
    },
    names: {
      of: (call) => state.children.get(call),
      isTaken: (name) => state.named.has(name),
      keep: (id, names) => journal.write(['children', { id, names }]),
    },
    cancelBelow: async (child) => {
      for (const agent of running.values()) if (await agent.cancelSubagent(child)) return true;
      return false;
    },
  });
}

function engineOf(options: SubagentOptions, work: Work): Engine {
  const { engine } = options;
  const limits = limitsOf(options);
  if (engine === undefined) return createInProcessEngine(work, { slots: limits.concurrency });
  if (typeof engine !== 'function') return engine;
  const made = engine(work, limits);
  if (typeof made?.start !== 'function')
    throw invalidOption(
      'subagents.engine',
      'a function that returns an object with a function `start`',
    );
  return made;
}

/**
 * AI SDK settings that children inherit: how the model is called, and which tools are active. Children
 * do not inherit callbacks and contexts.
 */
const INHERITED: readonly string[] = (
  'maxOutputTokens temperature topP topK presencePenalty frequencyPenalty stopSequences seed ' +
  'reasoning providerOptions headers maxRetries activeTools toolOrder toolCallConcurrency'
).split(' ');

/** Provider options that children do not inherit: they belong to one conversation or add tools outside of roles. */
const OF_THE_PARENT: readonly string[] =
  'conversation previousResponseId container mcpServers'.split(' ');

function inheritedSettings(settings: AgentOptions['settings'] = {}): AgentOptions['settings'] {
  const entries = Object.entries(settings).filter(([name]) => INHERITED.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === 'providerOptions' && isRecord(value) ? ownOptions(value) : value,
    ]),
  );
}

function ownOptions(byProvider: Readonly<Record<string, unknown>>): object {
  const own = Object.entries(byProvider).map(([provider, options]) => [
    provider,
    isRecord(options)
      ? Object.fromEntries(
          Object.entries(options).filter(([name]) => !OF_THE_PARENT.includes(name)),
        )
      : options,
  ]);
  return Object.fromEntries(own);
}

/** The agent's rounds without its model's setting, because a child may have another model. */
function ownRounds({ role, fold, maxRounds }: AgentOptions): number | undefined {
  return roleIn(fold.roles, role)?.maxRounds ?? maxRounds;
}
