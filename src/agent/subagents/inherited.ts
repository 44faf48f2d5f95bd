import { isRecord } from '../../tools/values/index.ts';
import type { AgentOptions } from '../options/index.ts';
import { roleIn } from '../roles/index.ts';
import type { WorkerOptions } from './child.ts';

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
