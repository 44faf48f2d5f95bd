import { plainRequestEvent } from '../ai-sdk/request/index.ts';
import { estimateTokens } from '../tools/tokens/index.ts';
import { checkMoneyBudget } from './agent-check.ts';
import type { ApprovalPolicy } from './approvals/index.ts';
import { ContextUse } from './compaction/index.ts';
import type { Elicitations } from './elicitations/index.ts';
import type { AgentEvent } from './events/index.ts';
import { CallLog, type UnknownChoice } from './journal/index.ts';
import type { AgentOptions, Lineage, UnknownCall } from './options/index.ts';
import type { RequestLog } from './requests/index.ts';
import { createRouter } from './routing/index.ts';
import {
  type AgentContext,
  type AgentState,
  dueCompaction,
  type SideModel,
  SystemText,
  sampleWith,
} from './runner/index.ts';
import { identify, modelName, settingsOf } from './settings/index.ts';
import { SUBAGENTS } from './subagents/engine/index.ts';
import { type BeginChild, Team } from './subagents/index.ts';
import type { Turn } from './turn/index.ts';
import { Meter, type Usage } from './usage/index.ts';

/** What stays the same when the options of an agent change. */
export interface Fixed {
  readonly lineage: Lineage | undefined;
  readonly user: object;
  readonly state: AgentState;
  readonly policy: ApprovalPolicy;
  readonly elicitations: Elicitations;
  readonly requests: RequestLog;
  readonly beginChild: BeginChild;
  /** What the user decides about a call whose outcome is unknown. */
  readonly choose: (call: UnknownCall) => Promise<UnknownChoice | undefined>;
}

/** What depends on the options of an agent. */
export interface SetUp {
  readonly context: AgentContext;
  readonly meter: Meter;
  /** Adds a usage to the accounts, and emits it in the turn. */
  readonly count: (usage: Usage, turn: Turn) => void;
  /** The model for a request beside the conversation. */
  readonly side: (onUsage: (usage: Usage) => void) => SideModel;
}

/** Prepares an agent for its options. Throws `invalid-option`. */
export function setUp(options: AgentOptions, fixed: Fixed): SetUp {
  const { fold, categories, hooks, instructions, model, settings } = options;
  const { lineage, user, state, policy, elicitations, requests } = fixed;
  const { journal } = state;
  const bridges: ReadonlySet<string> = new Set(fold.bridgeNames(model));
  const identity = identify(model);
  const { price } = settingsOf(options.models ?? {}, identity);
  checkMoneyBudget(options, modelName(identity), price);
  const meter = new Meter(identity, price);
  const side: SetUp['side'] = (onUsage) => ({ model, identity, price, settings, onUsage });
  const count: SetUp['count'] = (usage, { events }) => {
    state.accounts.take(usage);
    events.push(usage);
  };
  const context: AgentContext = {
    options,
    lineage,
    journal,
    calls: new CallLog(journal, {
      isRepeatable: (name) => isRepeatable(options, name),
      choose: ({ id, name, input }) => fixed.choose({ id, name, arguments: input }),
    }),
    router: createRouter(categories),
    policy,
    system: new SystemText(instructions, hooks?.transformSystemPrompt, journal),
    team:
      options.subagents &&
      new Team(options, options.subagents, {
        begin: fixed.beginChild,
        lineage,
        policy,
        journal,
        choose: fixed.choose,
        user,
        remoteAnswers: state.remote,
        elicitations,
        ledger: { take: (event: AgentEvent) => state.accounts.subagents.take(event) },
        // A child's budget covers its own requests too. The budget of a top-level agent covers only its subagents.
        spent: () => state.accounts.spending[lineage ? 'total' : 'subagents'],
      }),
    model: identity,
    isReal: (name) => !bridges.has(name),
    areToolsOn: () => state.areToolsOn,
    metered: (turn, onPlainRequest) =>
      meter.watch(model, {
        onUsage: (usage) => count(usage, turn),
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
    sample: (request, turn) =>
      sampleWith(
        side((usage) => count(usage, turn)),
        request,
      ),
  };
  return { context, meter, count, side };
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
