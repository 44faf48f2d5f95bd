import { LastSent, plainRequestEvent } from '@toolfold/ai-sdk/internal/request';
import { hasStrictTurns, resultFilesOf } from '@toolfold/core/internal/models';
import { viewOf } from '@toolfold/core/internal/registry';
import { estimateTokens } from '@toolfold/core/internal/tool';
import { pick } from '@toolfold/core/internal/values';
import { ContextUse, RecordedResults } from '../compaction/index.ts';
import { hasRecall, RECALL } from '../entries/index.ts';
import { Meter, SentMessages } from '../log/index.ts';
import { type AgentContext, budgetFor, CallLog, roundsFor, systemText } from '../loop/index.ts';
import { type AgentOptions, identify, modelName, settingsOf } from '../options/index.ts';
import { createRouter } from '../routing/index.ts';
import { USER_WROTE } from '../state/index.ts';
import { Team, type TeamParts } from '../subagents/index.ts';
import { SUBAGENTS } from '../tasks/index.ts';
import { checkMoneyBudget } from './agent-check.ts';

/** What stays the same when the options of an agent change. */
type FixedContext = Pick<AgentContext, keyof TeamParts | 'switches' | 'requests' | 'steering'>;

/** What the turns of an agent share, which depends on its options. Throws `invalid-option`. */
export function contextFor(options: AgentOptions, fixed: FixedContext): AgentContext {
  const { fold, categories, hooks, instructions, model } = options;
  const { lineage, log } = fixed;
  const bridges: ReadonlySet<string> = new Set(fold.bridgeNames(model));
  const identity = identify(model);
  const own = settingsOf(options.models ?? {}, identity);
  const { price } = own;
  const name = modelName(identity);
  checkMoneyBudget(options, name, price);
  const maxRounds = roundsFor(options, identity);
  const meter = new Meter(identity, price);
  fixed.steering.isAccepted = !hasStrictTurns(identity);
  const last = new LastSent();
  return {
    ...fixed,
    options,
    calls: new CallLog(log, {
      isRepeatable: (name) => isRepeatable(options, name),
      refuse: async ({ id, name }) => {
        // Another process may have posted a message since the request.
        await log.look();
        return fixed.steering.isDue && (log.state.askedCalls.has(id) || !fixed.policy.isRead(name))
          ? USER_WROTE
          : undefined;
      },
      choose: fixed.choose,
    }),
    router: createRouter(categories),
    sent: new SentMessages((id) => log.state.callIds.has(id)),
    system: systemText(instructions, hooks?.transformSystemPrompt, log),
    team: options.subagents && new Team(options, options.subagents, fixed),
    model: identity,
    modelName: name,
    price,
    own: pick(own, 'contextWindow', 'strategy', 'cache', 'images'),
    taken: resultFilesOf(identity, fold.resultFiles, own.images)?.inMessage,
    maxRounds,
    budget: budgetFor(options, maxRounds),
    ...toolsFor(options, fixed),
    isReal: (name) => !bridges.has(name),
    metered: (onPlainRequest, onUsage) =>
      meter.watch(model, {
        onUsage: (usage) => {
          onUsage?.(usage);
          void log.report(usage);
        },
        onLength: lineage?.onLength,
        onUnannounced: (params, sentTo) =>
          onPlainRequest(plainRequestEvent(params, sentTo, estimateTokens, last)),
      }),
    meter,
    use: new ContextUse(fold.maxResultLength),
  };
}

/** Which of Toolfold's own tools the model can use, if the fold has them. */
function toolsFor(
  { fold, role, subagents }: AgentOptions,
  { lineage, log }: FixedContext,
): Pick<AgentContext, 'results' | 'hidden'> {
  const { layer, roles } = fold;
  const has = hasRecall(layer);
  // A session may name a role that is gone. Its turns are refused, and it can be read.
  const isKnown = role === undefined || Object.hasOwn(roles, role);
  const isAllowed = () => isKnown && viewOf(roles, role).allows(layer.addressOf(RECALL));
  const { session } = log;
  const canRecall = has && session && !lineage && isAllowed();
  const results = canRecall ? () => new RecordedResults(session.entries) : undefined;
  // Without a team the tool cannot run.
  const isWithoutTeam = !subagents && layer.fingerprintOf(SUBAGENTS) !== undefined;
  const hidden = [
    ...(lineage?.without ?? []),
    ...(isWithoutTeam ? [SUBAGENTS] : []),
    ...(has && !results ? [RECALL] : []),
  ];
  return { results, hidden };
}

/**
 * Whether a call may be run again without asking: also a call of the team, whose children are resumed.
 * The children of an engine elsewhere have no sessions, so they would begin again.
 */
export function isRepeatable({ fold, subagents }: AgentOptions, name: string): boolean {
  if (name === SUBAGENTS) return typeof subagents?.options.engine !== 'object';
  const { readOnlyHint, idempotentHint } = fold.layer.hintsOf(name) ?? {};
  return readOnlyHint === true || idempotentHint === true;
}
