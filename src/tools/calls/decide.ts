import { callDirectly, callThrough, type Outcome } from './call.ts';
import { describeTools } from './describe.ts';
import { type ReadCall, readObject } from './envelope.ts';
import { loadTools } from './load.ts';
import { malformedInput, repeated } from './refusals.ts';
import { requestTool } from './request.ts';
import type { Route } from './route.ts';
import type { Answer, Scope } from './scope.ts';
import { searchTools } from './search.ts';

export { findTarget } from './target.ts';

/** Decides whether a call runs or what it is answered. `attempt` counts its tries. Rejects when the signal fires. */
export async function decideCall(
  scope: Scope,
  call: ReadCall,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<Route> {
  const outcome = await decide(scope, call, signal);
  if (outcome.kind === 'run')
    return { ...outcome, via: call.kind === undefined ? 'native' : 'bridge' };
  const { answer, ...about } = outcome;
  return { ...about, ...(answer.isError && attempt > 1 ? repeated(answer, attempt) : answer) };
}

async function decide(
  scope: Scope,
  { name, input, kind, envelope }: ReadCall,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  if (envelope !== undefined && kind === undefined)
    return callDirectly(scope, name, envelope, signal);
  if (envelope !== undefined) return callThrough(scope, name, envelope, signal);
  const answered = (answer: Answer): Outcome => ({ kind: 'answer', answer });
  const read = readObject(input);
  if (read.kind === 'unusable') return answered(malformedInput(name, read.problem));
  switch (kind) {
    case 'load_tools':
      return answered(await loadTools(scope, input, signal));
    case 'tool_search':
      return answered(await searchTools(scope, input, signal));
    case 'tool_describe':
      return answered(await describeTools(scope, input, signal));
    case 'request_tool':
      return answered(await requestTool(scope, input, signal));
    default:
      throw new TypeError(`${name} was not read as a call.`);
  }
}
