import type { Plan } from './plan.ts';
import type { Failure } from './session.ts';
import type { Shrunk } from './shrink.ts';

/** The setting of a session in one line. */
export function settingLine({ seed, setting, steps }: Plan): string {
  const { endpoint, strategy, form, route, mode, routing } = setting;
  const how = route === 'agent' ? `, approvals ${mode}, routing ${routing}` : '';
  const native = form === undefined ? '' : ` as ${form}`;
  return `seed ${seed}: ${endpoint.name}, ${String(strategy)}${native}, ${route}${how}, ${steps.length} turns`;
}

/** The violated check, the command that replays it, and the last turns of the shortest session that violates it. */
export function failureReport(plan: Plan, { turns, failure }: Shrunk): string {
  return [
    settingLine(plan),
    `${failure.check}: ${failure.message}`,
    `replay: ${replayCommand(plan, turns)}`,
    failure.trace,
    '',
  ].join('\n');
}

export function replayCommand({ seed }: Plan, turns: readonly number[]): string {
  return `npm run fuzz -- ${seed} --turns ${turns.join(',')}`;
}

/** The failure in one line, for lists of many. */
export function failureLine(plan: Plan, { check, message, turn }: Failure): string {
  const first = message.split('\n')[0]?.slice(0, 160);
  return `${settingLine(plan)}: turn ${turn}: ${check}: ${first}`;
}
