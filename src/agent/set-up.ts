import { plainRequestEvent } from '../ai-sdk/request/index.ts';
import { estimateTokens } from '../tools/tokens/index.ts';
import { checkMoneyBudget } from './agent-check.ts';
import type { ApprovalPolicy } from './approvals/index.ts';
import { CallLog } from './calls/index.ts';
import { ContextUse } from './compaction/index.ts';
import { type AgentContext, SystemText } from './context/index.ts';
import type { Elicitations } from './elicitations/index.ts';
import type { UnknownChoice } from './entries/index.ts';
import type { Remote } from './inbox/index.ts';
import type { Log } from './log/index.ts';
import { dueCompaction, type SideModel, sampleWith } from './loop/index.ts';
import type { AgentOptions, AskedUnknownCall, Lineage } from './options/index.ts';
import type { RequestLog } from './requests/index.ts';
import { createRouter } from './routing/index.ts';
import { identify, modelName, settingsOf } from './settings/index.ts';
import { SUBAGENTS } from './subagents/engine/index.ts';
import { type BeginChild, Team } from './subagents/index.ts';
import { Meter, type Usage } from './usage/index.ts';

/** What stays the same when the options of an agent change. */
export interface Fixed {
  readonly lineage: Lineage | undefined;
  readonly user: object;
  readonly log: Log;
  readonly remote: Remote;
  readonly policy: ApprovalPolicy;
  readonly areToolsOn: () => boolean;
  readonly elicitations: Elicitations;
  readonly requests: RequestLog;
  readonly beginChild: BeginChild;
  /** What the user decides about a call whose outcome is unknown. */
  readonly choose: (call: AskedUnknownCall) => Promise<UnknownChoice | undefined>;
}

/** What depends on the options of an agent. */
export interface SetUp {
  readonly context: AgentContext;
  readonly meter: Meter;
  /** The model for a request beside the conversation. */
  readonly side: (onUsage: (usage: Usage) => void) => SideModel;
}

/** Prepares an agent for its options. Throws `invalid-option`. */
export function setUp(options: AgentOptions, fixed: Fixed): SetUp {
  const { fold, categories, hooks, instructions, model, settings } = options;
  const { lineage, user, log, remote, policy, areToolsOn, elicitations, requests } = fixed;
  const bridges: ReadonlySet<string> = new Set(fold.bridgeNames(model));
  const identity = identify(model);
  const { price } = settingsOf(options.models ?? {}, identity);
  checkMoneyBudget(options, modelName(identity), price);
  const meter = new Meter(identity, price);
  const side: SetUp['side'] = (onUsage) => ({ model, identity, price, settings, onUsage });
  const onUsage = (usage: Usage) => void log.report(usage);
  const context: AgentContext = {
    options,
    lineage,
    log,
    remote,
    calls: new CallLog(log, {
      isRepeatable: (name) => isRepeatable(options, name),
      choose: ({ id, name, input }, signal) => fixed.choose({ id, name, arguments: input, signal }),
    }),
    router: createRouter(categories),
    policy,
    system: new SystemText(instructions, hooks?.transformSystemPrompt, log),
    team:
      options.subagents &&
      new Team(options, options.subagents, {
        begin: fixed.beginChild,
        lineage,
        policy,
        log,
        choose: fixed.choose,
        user,
        remoteAnswers: remote.approvals,
        elicitations,
        // A child's budget covers its own requests too. The budget of a top-level agent covers only its subagents.
        spent: () => log.state.accounts.spending[lineage ? 'total' : 'subagents'],
      }),
    model: identity,
    isReal: (name) => !bridges.has(name),
    areToolsOn,
    metered: (onPlainRequest) =>
      meter.watch(model, {
        onUsage,
        onLength: lineage?.onLength,
        onUnannounced: (params, sentTo) =>
          onPlainRequest(plainRequestEvent(params, sentTo, estimateTokens)),
      }),
    begin: (tokens) => {
      const number = requests.next();
      meter.begin(tokens, number);
      return number;
    },
    requests,
    use: new ContextUse(fold.maxResultLength),
    isFull: (messages) => dueCompaction(context, messages) !== undefined,
    user,
    elicitations,
    sample: (request) => sampleWith(side(onUsage), request),
  };
  return { context, meter, side };
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
