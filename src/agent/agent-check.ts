import { ToolfoldError } from '../errors.ts';
import type { AgentOptions } from './agent-options.ts';

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
  for (const key of ['stopWhen', 'prepareStep', 'toolApproval', 'tools', 'model', 'messages']) {
    if (key in settings) fail(`settings.${key}`, 'nothing: the agent sets it itself');
  }
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
