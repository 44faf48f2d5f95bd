import { isModel } from '@toolfold/ai-sdk/internal/response';
import {
  checkAgentSettings,
  checkHooks,
  type TokenPrice,
} from '@toolfold/config/internal/settings';
import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { fingerprint } from '@toolfold/core/internal/tool';
import {
  canonicalJson,
  checkKnown,
  isRecord,
  type KnownOptions,
  type OptionCheck,
  ownProperty,
} from '@toolfold/core/internal/values';
import { asSchema } from 'ai';
import { type AgentFold, type AgentOptions, MAX_ID, type SdkSettings } from '../options/index.ts';
import { requireRole } from '../routing/index.ts';
import type { WorkerOptions } from '../subagents/index.ts';
import { SUBAGENTS, type Subagents } from '../tasks/index.ts';

const isFunction = (value: unknown): boolean => typeof value === 'function';
const orNone =
  (isFine: OptionCheck[0]): OptionCheck[0] =>
  (value) =>
    value === undefined || isFine(value);

function isMessage(value: unknown): boolean {
  const content = ownProperty(value, 'content');
  const hasContent = typeof content === 'string' || Array.isArray(content);
  return hasContent && typeof ownProperty(value, 'role') === 'string';
}

/** The options of an agent. `data`: a configuration file may have them too, and one schema checks them. */
export const AGENT_OPTIONS: Readonly<Record<keyof AgentOptions, OptionCheck | 'data' | 'below'>> = {
  model: [
    (value) => typeof value === 'string' || isModel(value),
    'a language model of the AI SDK, such as openai("gpt-5"), or its id',
  ],
  address: [orNone((value) => typeof value === 'string'), 'the URL at which the model is served'],
  fold: [(value) => isRecord(value) && isFunction(value.with), 'what `createFold()` returns'],
  role: 'data',
  roles: 'data',
  instructions: 'data',
  hooks: 'below',
  approvals: 'data',
  elicitation: [
    orNone((value) => typeof value === 'boolean' || isRecord(value)),
    'true, false or { ask }',
  ],
  routing: 'data',
  categories: 'data',
  maxRounds: 'data',
  maxRequests: 'data',
  maxTokens: 'data',
  models: 'data',
  messages: [
    orNone((value) => Array.isArray(value) && value.every(isMessage)),
    'a list of messages of the AI SDK',
  ],
  session: [
    orNone((value) => isRecord(value) && isFunction(value.append) && Array.isArray(value.entries)),
    'what `createSession()` or `openSession()` resolves with',
  ],
  onUnknown: [orNone(isFunction), 'a function'],
  subagents: 'below',
  settings: [orNone(isRecord), 'an object with settings of the AI SDK'],
  onWarning: [orNone(isFunction), 'a function'],
};

/** Throws `invalid-option` for the first data option that does not match its type. */
export function checkAgentData(options: object): void {
  const data = Object.entries(AGENT_OPTIONS).filter(([, check]) => check === 'data');
  checkAgentSettings(Object.fromEntries(data.map(([name]) => [name, Reflect.get(options, name)])));
}

/** Throws `invalid-option` for options that are wrong or would have no effect, and `unknown-role`. */
export function checkAgentOptions(options: AgentOptions): void {
  for (const [name, check] of Object.entries(AGENT_OPTIONS))
    if (typeof check !== 'string' && !check[0](Reflect.get(options, name)))
      throw invalidOption(name, check[1]);
  checkAgentData(options);
  const { fold, role, roles, hooks, settings = {}, session, messages } = options;
  if (roles !== undefined && canonicalJson(roles) !== canonicalJson(fold.roles))
    throw invalidOption('roles', 'nothing beside a fold, or what the fold was made with');
  if (role !== undefined) requireRole(fold.roles, role);
  if (hooks !== undefined) checkHooks('hooks', hooks);
  if (session !== undefined && messages !== undefined)
    throw invalidOption('messages', 'nothing beside a session: it has its own conversation');
  checkSubagents(options);
  checkSdkSettings(settings);
}

const SDK_SETTINGS: KnownOptions<SdkSettings> = {
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  presencePenalty: true,
  frequencyPenalty: true,
  stopSequences: true,
  seed: true,
  reasoning: true,
  maxRetries: true,
  streamRetries: true,
  headers: true,
  timeout: true,
  providerOptions: true,
  output: true,
  activeTools: true,
  toolChoice: true,
  toolOrder: true,
  toolCallConcurrency: true,
  telemetry: true,
  experimental_telemetry: true,
  experimental_download: true,
  experimental_toolApprovalSecret: true,
  repairToolCall: true,
  experimental_repairToolCall: true,
  experimental_refineToolInput: true,
  onStart: true,
  onStepStart: true,
  onLanguageModelCallStart: true,
  onLanguageModelCallEnd: true,
  onToolExecutionStart: true,
  onToolExecutionEnd: true,
  onStepEnd: true,
  onStepFinish: true,
  onStepError: true,
  onError: true,
  onAbort: true,
  onEnd: true,
  onFinish: true,
};
/** What the agent sets itself, and what says it instead. */
const OWN_SETTINGS: Readonly<Record<string, string>> = {
  stopWhen: 'The agent counts its rounds: `maxRounds`.',
  prepareStep: 'The messages are those of the log. Use hooks, or `instructions`.',
  toolApproval: 'Use `approvals` and `hooks`.',
  tools: 'Give the tools to the fold.',
  instructions: 'Use the option `instructions`.',
  model: 'Use the option `model`.',
  messages: 'Use the option `messages`, or a session.',
  prompt: 'Use `agent.send(text)`.',
  abortSignal: 'Use `agent.send(text, { signal })`.',
};

/** Throws `invalid-option` for a setting of the AI SDK that an agent does not pass on, and for a wrong number of retries. */
function checkSdkSettings(settings: SdkSettings): void {
  const own = Object.keys(OWN_SETTINGS).find((key) => Reflect.get(settings, key) !== undefined);
  if (own !== undefined)
    throw new ToolfoldError(
      'invalid-option',
      `\`settings.${own}\` has no effect here: the agent sets it itself.`,
      OWN_SETTINGS[own] ?? '',
    );
  checkKnown('`settings` of an agent', settings, SDK_SETTINGS);
  const { maxRetries = 0 } = settings;
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw invalidOption('settings.maxRetries', 'a whole number that is not negative');
}

/** Throws `invalid-option` for a time at which no message is sent. */
export function requireWhen(when: unknown): void {
  if (when === undefined || when === 'now' || when === 'after') return;
  throw new ToolfoldError(
    'invalid-option',
    'The time of the message is neither "now" nor "after".',
    'Leave `when` out, or give one of them.',
  );
}

/** Throws `invalid-option` for an id that cannot name a message. */
export function requireId(id: unknown): void {
  if (id === undefined) return;
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID) return;
  throw new ToolfoldError(
    'invalid-option',
    `The id of the message is no text of 1 to ${MAX_ID} characters.`,
    'Give each message an id of its own, or none.',
  );
}

/**
 * Throws `invalid-option` if subagents have a budget in money but the price of the model is unknown.
 * `model` is the agent's own model, `known` its price.
 */
export function checkMoneyBudget(
  { subagents }: AgentOptions,
  model: string,
  known: TokenPrice | undefined,
): void {
  const { budget, model: ofRole } = subagents?.options ?? {};
  if (budget?.cost === undefined || ofRole || known) return;
  throw invalidOption(
    'subagents.budget.cost',
    `that a price is known: give \`models['${model}'].price\``,
  );
}

/**
 * Throws `invalid-option` if the value is not a result of `createSubagents`, or if the fold lacks its
 * tool or has another tool of the same name.
 */
function checkSubagentTool(subagents: Subagents, { layer }: AgentFold): void {
  if (!isRecord(subagents?.tools?.[SUBAGENTS]) || !isRecord(subagents.options))
    throw invalidOption('subagents', 'what `createSubagents()` returns');
  const inFold = layer.fingerprintOf(SUBAGENTS);
  if (inFold === undefined)
    throw invalidOption(
      'subagents',
      'that the fold has its tool: createFold({ tools: { ...subagents.tools } })',
    );
  const { description, inputSchema } = subagents.tools.subagents;
  const parameters = asSchema(inputSchema).jsonSchema;
  if (inFold !== fingerprint({ name: SUBAGENTS, description, parameters })) {
    const expected = 'that the fold has this very tool; the fold has another tool of that name';
    throw invalidOption(
      'subagents',
      `${expected}: give createFold the \`tools\` of the same createSubagents()`,
    );
  }
}

function checkSubagents({ subagents, fold, hooks }: AgentOptions): void {
  if (subagents === undefined) return;
  checkSubagentTool(subagents, fold);
  const { options } = subagents;
  // Without hooks, children could bypass what the agent's hooks deny or remove from results.
  const given = (['beforeToolCall', 'afterToolCall'] as const).find((name) => hooks?.[name]);
  if (given && !options.hooks) {
    const expected = `the hooks for calls of subagents, as this agent has \`${given}\``;
    throw invalidOption('subagents.hooks', expected);
  }
  const unknown = options.roles?.find((role) => !Object.hasOwn(fold.roles, role));
  if (unknown !== undefined)
    throw invalidOption('subagents.roles', `names of roles of the fold; "${unknown}" is none`);
}

const WORKER_OPTIONS: KnownOptions<WorkerOptions> = {
  subagents: true,
  fold: true,
  model: true,
  inherited: true,
  running: true,
  sessionOf: true,
  onUnknown: true,
  user: true,
  remoteAnswers: true,
};

/** Throws `invalid-option` for options of `createWorker` that are wrong. */
export function checkWorkerOptions(options: WorkerOptions): void {
  if (!isRecord(options))
    throw invalidOption('options', 'an object with subagents, fold and model');
  checkKnown('createWorker()', options, WORKER_OPTIONS);
  const { subagents, fold, model, inherited } = options;
  if (typeof fold?.layer?.fingerprintOf !== 'function')
    throw invalidOption('fold', 'what `createFold()` returns');
  checkSubagentTool(subagents, fold);
  const isModel = typeof model === 'string' ? model !== '' : isRecord(model);
  if (!isModel) throw invalidOption('model', 'a model of the AI SDK, or the name of one');
  if (inherited !== undefined && !isRecord(inherited))
    throw invalidOption('inherited', 'an object, or nothing');
}
