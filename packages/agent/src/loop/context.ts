import type { Ceiling, RequestEvent, WithOptions } from '@toolfold/ai-sdk';
import type { ModelObject } from '@toolfold/ai-sdk/internal/response';
import type { ModelSettings, TokenPrice } from '@toolfold/config/internal/settings';
import type { ModelIdentity } from '@toolfold/core/internal/models';
import { looseGlobs } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import type { ContextUse, RecordedResults } from '../compaction/index.ts';
import { RECALL } from '../entries/index.ts';
import type { AgentHooks, TokenUsage } from '../events/index.ts';
import type { Announcing, Log, SentMessages } from '../log/index.ts';
import type { AgentOptions, SteeringQueue } from '../options/index.ts';
import { narrowTo, type Router } from '../routing/index.ts';
import type { Team, TeamParts } from '../subagents/index.ts';
import { SUBAGENTS } from '../tasks/index.ts';
import type { CallLog } from './call-log.ts';
import type { TurnBudget } from './rounds.ts';

type OwnSettings = Pick<ModelSettings, 'contextWindow' | 'strategy' | 'cache' | 'images'>;
type FoldSettings = Ceiling & OwnSettings;

/** State and functions that all turns of an agent share. */
export interface AgentContext extends Announcing, TeamParts {
  readonly options: AgentOptions;
  readonly calls: CallLog;
  readonly router: Router;
  readonly system: SystemText;
  readonly team: Team | undefined;
  readonly model: ModelIdentity;
  /** Absent if it is not known. */
  readonly price: TokenPrice | undefined;
  /** The fold settings that the options give for the model. */
  readonly own: OwnSettings;
  /** The media types of the user's files that the model takes. Absent if nothing is known of it. */
  readonly taken: readonly string[] | undefined;
  /** Tool rounds of a turn. */
  readonly maxRounds: number;
  /** The limits of a turn beside its rounds. */
  readonly budget: TurnBudget;
  /** The results that the model can read again: with a session, and if the role allows it. */
  readonly results: (() => RecordedResults) | undefined;
  /** Tools of the fold that can do nothing for this agent. */
  readonly hidden: readonly string[];
  /** Whether a name is that of a real tool and not of a bridge tool. */
  readonly isReal: (toolName: string) => boolean;
  /** What the user writes while a turn runs. */
  readonly steering: SteeringQueue;
  /** What the user can switch while a turn runs. */
  readonly switches: { areToolsOn: boolean };
  /**
   * The model, wrapped so that each usage is written. `onPlainRequest` receives each request that the fold has not
   * announced, because it has no tools.
   */
  readonly metered: (
    onPlainRequest: (event: RequestEvent) => void,
    onUsage?: (usage: TokenUsage) => void,
  ) => ModelObject;
  readonly sent: SentMessages;
  /** How much of the model's context window the conversation uses. */
  readonly use: ContextUse;
}

/** The tools that this agent may use. Its children get at most these. */
export function choiceOf(context: AgentContext, only?: readonly string[]): Ceiling {
  const { lineage, team, log, results, hidden } = context;
  const { role } = context.options;
  const { isCompacted, settings } = log.state;
  // A conversation that began without the tool keeps the tools of its requests until its first compaction.
  const recalls = results && (settings.recall || isCompacted);
  const without = [...hidden, ...(results && !recalls ? [RECALL] : [])];
  const own = [...(team ? [SUBAGENTS] : []), ...(recalls ? [RECALL] : [])];
  return {
    ...(role === undefined ? {} : { role }),
    ...(only ? { only: looseGlobs(only.length > 0 ? [...only, ...own] : only) } : {}),
    ...(without.length > 0 ? { without: looseGlobs(without) } : {}),
    ...(lineage ? { parent: lineage.ceiling } : {}),
  };
}

/** The globs of the tools of a request. Undefined: all of the role. */
export function onlyOf(
  { log, options, router, switches }: AgentContext,
  messages: readonly ModelMessage[],
): readonly string[] | undefined {
  if (!switches.areToolsOn && log.state.areToolsLeftOut) return [];
  const { fold, routing } = options;
  const addressOf = (name: string) => fold.layer.addressOf(name);
  return routing === 'narrow' ? narrowTo(router, messages, addressOf) : undefined;
}

/** What the fold is given for the requests of this agent. */
export function foldSettings(context: AgentContext, only?: readonly string[]): FoldSettings {
  return { ...choiceOf(context, only), ...context.own, ...cacheOf(context) };
}

/**
 * How the requests of this agent ask for the prompt cache. A conversation and its forks have the same first entry, and
 * with it the same key. A subagent works without pauses, so five minutes are enough.
 */
export function cacheOf({ options, own, log, lineage }: AgentContext): Pick<WithOptions, 'cache'> {
  const setting = own.cache ?? options.fold.cache;
  if (setting === false) return { cache: false };
  const key = log.session?.entries[0]?.id;
  const given = setting === 'auto' ? {} : setting;
  const short = lineage && own.cache === undefined ? { ttl: '5m' as const } : {};
  return { cache: { ...(key === undefined ? {} : { key }), ...given, ...short } };
}

/** The frozen bytes of the session's epoch, which tools may have changed since. */
export function frozenOf({ log }: AgentContext): Pick<WithOptions, 'state' | 'onMismatch'> {
  const { epoch } = log.state;
  return epoch ? { state: epoch, onMismatch: 'new-epoch' } : {};
}

/** The key of a frozen system text. A change of role or narrowing begins a new epoch. */
export function systemKey(role: string | undefined, only: readonly string[] = []): string {
  return [role ?? '', ...only].join('\0');
}

/** Resolves with the app's system text for the epoch of a key. Rejects if a hook fails. */
type SystemText = (key: string) => Promise<string | undefined>;

/**
 * The app's system text. Its hooks run once per epoch; the result is then frozen. Texts that hooks have made in an
 * earlier process are used again.
 */
export function systemText(
  text: string | undefined,
  given: AgentHooks['transformSystemPrompt'] = [],
  log: Log,
): SystemText {
  const hooks = typeof given === 'function' ? [given] : [...given];
  const frozen = new Map<string, Promise<string>>();
  const transformed = async (): Promise<string> => {
    let now = text ?? '';
    for (const hook of hooks) now = await hook(now);
    return now;
  };
  return async (key) => {
    const { state, session } = log;
    if (hooks.length === 0) return text;
    if (state.systems.has(key)) return state.systems.get(key) || undefined;
    const known = frozen.get(key) ?? transformed();
    frozen.set(key, known);
    try {
      const made = await known;
      // A question beside the turns may have been the first, and keeps nothing.
      if (session && log.isHeld && !state.systems.has(key))
        await log.append(['system', { key, text: made }]);
      return made || undefined;
    } catch (error) {
      // The next request runs a failed hook again.
      frozen.delete(key);
      throw error;
    }
  };
}
