import { asSchema } from 'ai';
import { isModel } from '../ai-sdk/model/index.ts';
import { checkAgentSettings, checkHooks, type TokenPrice } from '../config/index.ts';
import { invalidOption, ToolfoldError } from '../errors.ts';
import { canonicalJson, fingerprint, isRecord } from '../tools/values/index.ts';
import type { AgentFold, AgentOptions, AgentToolOptions } from './options/index.ts';
import { requireRole } from './roles/index.ts';
import { SUBAGENTS } from './subagents/engine/index.ts';
import type { Subagents } from './subagents/tool/index.ts';

/** Throws `invalid-option` for options that would have no effect, and `unknown-role`. */
export function checkAgentOptions(options: AgentOptions): void {
  checkParts(options);
  checkAgentData(options);
  const { fold, role, roles, hooks, elicitation, settings = {}, messages, onWarning } = options;
  if (roles !== undefined && canonicalJson(roles) !== canonicalJson(fold.roles))
    throw invalidOption('roles', 'nothing beside a fold, or what the fold was made with');
  if (role !== undefined) requireRole(fold.roles, role);
  if (hooks !== undefined) checkHooks('hooks', hooks);
  checkSession(options);
  if (messages !== undefined && !Array.isArray(messages))
    throw invalidOption('messages', 'a list of messages');
  if (onWarning !== undefined && typeof onWarning !== 'function')
    throw invalidOption('onWarning', 'a function');
  if (elicitation !== undefined && typeof elicitation !== 'boolean' && !isRecord(elicitation))
    throw invalidOption('elicitation', 'true, false or { ask }');
  if (!isRecord(settings)) throw invalidOption('settings', 'an object with settings of the AI SDK');
  checkSubagents(options);
  for (const key of ['stopWhen', 'prepareStep', 'toolApproval', 'tools', 'model', 'messages']) {
    if (settings[key] !== undefined)
      throw invalidOption(`settings.${key}`, 'nothing: the agent sets it itself');
  }
}

/** Throws `invalid-option` if the session is not an open one, or if messages are given beside it. */
function checkSession({ session, messages, onUnknown }: AgentOptions): void {
  if (onUnknown !== undefined && typeof onUnknown !== 'function')
    throw invalidOption('onUnknown', 'a function');
  if (session === undefined) return;
  if (!isRecord(session) || typeof session.append !== 'function' || !Array.isArray(session.entries))
    throw invalidOption('session', 'what `createSession()` or `openSession()` resolves with');
  if (messages !== undefined)
    throw invalidOption('messages', 'nothing beside a session: it has its own conversation');
}

/** Throws `invalid-option` for the first data option that does not match its type. */
export function checkAgentData(options: Partial<AgentOptions> | AgentToolOptions): void {
  const { role, instructions, roles, routing, maxRounds, models, approvals, categories } = options;
  checkAgentSettings({
    role,
    instructions,
    roles,
    routing,
    maxRounds,
    models,
    approvals,
    categories,
  });
}

/** Throws `invalid-option` for an empty text: no provider accepts an empty message. */
export function requireText(text: unknown): void {
  if (typeof text === 'string' && text.trim() !== '') return;
  throw new ToolfoldError(
    'invalid-option',
    typeof text === 'string' ? 'The text is empty.' : 'The text is no string.',
    'Say what is wanted.',
  );
}

/** Most characters of the id of a message. */
const MAX_ID = 200;

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
export function checkSubagentTool(subagents: Subagents, { layer }: AgentFold): void {
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

/** Throws `invalid-option` if a required option is missing. */
function checkParts({ model, fold }: AgentOptions): void {
  if (typeof model !== 'string' && !isModel(model))
    throw invalidOption(
      'model',
      'a language model of the AI SDK, such as openai("gpt-5"), or its id',
    );
  if (!isRecord(fold) || typeof fold.with !== 'function')
    throw invalidOption('fold', 'what `createFold()` returns');
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
