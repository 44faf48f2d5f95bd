import { ToolfoldError } from '../errors.ts';
import type { AgentOptions } from './agent-options.ts';
import { SUBAGENTS } from './subagents/limits.ts';

/** Throws `invalid-option` for what would silently do nothing. */
export function checkAgentOptions(options: AgentOptions): void {
  const { routing, approvals, maxRounds, models = {}, roles = {}, settings = {} } = options;
  oneOf('routing', routing, ['off', 'preload', 'narrow']);
  oneOf('approvals.mode', approvals?.mode, ['annotations', 'always', 'never']);
  rounds('maxRounds', maxRounds);
  for (const [name, { maxRounds: own }] of Object.entries(models))
    rounds(`models.${name}.maxRounds`, own);
  for (const [name, { maxRounds: own }] of Object.entries(roles))
    rounds(`roles.${name}.maxRounds`, own);
  for (const [name, { price }] of Object.entries(models)) {
    for (const [kind, value] of Object.entries(price ?? {}))
      if (!(value >= 0))
        fail(`models.${name}.price.${kind}`, 'money for a million tokens, 0 or more');
  }
  checkSubagents(options);
  for (const key of ['stopWhen', 'prepareStep', 'toolApproval', 'tools', 'model', 'messages']) {
    if (key in settings) fail(`settings.${key}`, 'nothing: the agent sets it itself');
  }
}

function checkSubagents({ subagents, fold, hooks, roles = {} }: AgentOptions): void {
  if (!subagents) return;
  if (fold.layer.fingerprintOf(SUBAGENTS) === undefined) {
    fail('subagents', 'that the fold has its tool: createFold({ tools: { ...subagents.tools } })');
  }
  if (hooks?.beforeToolCall && !subagents.options.hooks) {
    fail('subagents.hooks', 'the hooks for calls of subagents, as this agent has `beforeToolCall`');
  }
  const unknown = subagents.options.roles?.find((role) => !Object.hasOwn(roles, role));
  if (unknown !== undefined) fail('subagents.roles', `names of \`roles\`; "${unknown}" is none`);
}

function oneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(String(value))) fail(option, allowed.join(', '));
}

function rounds(option: string, value: unknown): void {
  if (value === undefined || (Number.isInteger(value) && Number(value) >= 1)) return;
  fail(option, 'a whole number of at least 1');
}

function fail(option: string, expected: string): never {
  throw new ToolfoldError(
    'invalid-option',
    `The option "${option}" has a value it cannot have.`,
    `Expected: ${expected}.`,
  );
}
