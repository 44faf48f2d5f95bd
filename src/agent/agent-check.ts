import { asSchema } from 'ai';
import { isModel } from '../ai-sdk/model/index.ts';
import { ToolfoldError } from '../errors.ts';
import { fingerprint, isAmount, isRecord } from '../tools/values/index.ts';
import type { AgentFold, AgentOptions } from './options/index.ts';
import { objectOf, refuse, rule, wholeNumber } from './settings/index.ts';
import { SUBAGENTS } from './subagents/engine/index.ts';
import type { Subagents } from './subagents/tool/index.ts';
import type { TokenPrice } from './usage/index.ts';

const rounds = wholeNumber(1);
const money = rule('money for a million tokens, 0 or more', isAmount);
const price = objectOf({ input: money, output: money, cacheRead: money, cacheWrite: money });

/** Throws `invalid-option` for what would silently do nothing. */
export function checkAgentOptions(options: AgentOptions): void {
  checkParts(options);
  const { routing, approvals, maxRounds, models = {}, roles = {}, settings = {} } = options;
  oneOf('routing', routing, ['off', 'preload', 'narrow']);
  oneOf('approvals.mode', approvals?.mode, ['annotations', 'always', 'never']);
  for (const glob of approvals?.allow ?? []) {
    if (typeof glob !== 'string' || glob.trim() === '')
      refuse('approvals.allow', 'globs of tools, each with a name or a pattern');
  }
  if (maxRounds !== undefined) rounds('maxRounds', maxRounds);
  for (const [name, model] of Object.entries(models)) {
    if (model.maxRounds !== undefined) rounds(`models.${name}.maxRounds`, model.maxRounds);
    if (model.price !== undefined) checkPrice(`models.${name}.price`, model.price);
  }
  for (const [name, role] of Object.entries(roles))
    if (role.maxRounds !== undefined) rounds(`roles.${name}.maxRounds`, role.maxRounds);
  checkSubagents(options);
  for (const key of ['stopWhen', 'prepareStep', 'toolApproval', 'tools', 'model', 'messages']) {
    if (settings[key] !== undefined) refuse(`settings.${key}`, 'nothing: the agent sets it itself');
  }
}

/** Throws `invalid-option` where nothing is said: no provider takes an empty message. */
export function requireText(text: unknown): void {
  if (typeof text === 'string' && text.trim() !== '') return;
  throw new ToolfoldError(
    'invalid-option',
    typeof text === 'string' ? 'The text is empty.' : 'The text is no string.',
    'Say what is wanted.',
  );
}

/**
 * Throws `invalid-option` where subagents have a budget in money and nobody can say what they spend:
 * `known` is the price of the agent's own model, which is `model`.
 */
export function checkMoneyBudget(
  { subagents }: AgentOptions,
  model: string,
  known: TokenPrice | undefined,
): void {
  const { budget, model: ofRole } = subagents?.options ?? {};
  if (budget?.cost === undefined || ofRole || known) return;
  refuse('subagents.budget.cost', `that a price is known: give \`models['${model}'].price\``);
}

/**
 * Throws `invalid-option` where these subagents are not what `createSubagents` returned, or where the
 * fold has no such tool or another one of its name.
 */
export function checkSubagentTool(subagents: Subagents, { layer }: AgentFold): void {
  if (!isRecord(subagents?.tools?.[SUBAGENTS]) || !isRecord(subagents.options))
    refuse('subagents', 'what `createSubagents()` returns');
  const inFold = layer.fingerprintOf(SUBAGENTS);
  if (inFold === undefined)
    refuse(
      'subagents',
      'that the fold has its tool: createFold({ tools: { ...subagents.tools } })',
    );
  const { description, inputSchema } = subagents.tools.subagents;
  const parameters = asSchema(inputSchema).jsonSchema;
  if (inFold !== fingerprint({ name: SUBAGENTS, description, parameters })) {
    const expected = 'that the fold has this very tool; the fold has another tool of that name';
    refuse('subagents', `${expected}: give createFold the \`tools\` of the same createSubagents()`);
  }
}

/** What an agent cannot be without. */
function checkParts({ model, fold }: AgentOptions): void {
  if (typeof model !== 'string' && !isModel(model))
    refuse('model', 'a language model of the AI SDK, such as openai("gpt-5"), or its id');
  if (!isRecord(fold) || typeof fold.with !== 'function')
    refuse('fold', 'what `createFold()` returns');
}

function checkSubagents({ subagents, fold, hooks, roles = {} }: AgentOptions): void {
  if (subagents === undefined) return;
  checkSubagentTool(subagents, fold);
  const { options } = subagents;
  // What a hook denies, or takes out of a result, children would otherwise have.
  const given = (['beforeToolCall', 'afterToolCall'] as const).find((name) => hooks?.[name]);
  if (given && !options.hooks)
    refuse('subagents.hooks', `the hooks for calls of subagents, as this agent has \`${given}\``);
  const unknown = options.roles?.find((role) => !Object.hasOwn(roles, role));
  if (unknown !== undefined) refuse('subagents.roles', `names of \`roles\`; "${unknown}" is none`);
}

function checkPrice(option: string, value: TokenPrice): void {
  price(option, value);
  money(`${option}.input`, value.input);
  money(`${option}.output`, value.output);
}

function oneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(String(value))) refuse(option, allowed.join(', '));
}
