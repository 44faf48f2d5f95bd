import type { ResolvedTool } from '../registry/index.ts';
import { checkArguments, parameterNames } from '../schema/index.ts';
import type { JsonObject } from '../values/index.ts';
import { settleArguments } from './arguments.ts';
import type { Envelope } from './envelope.ts';
import { bridgeInBridge, invalidArguments, malformedCall } from './refusals.ts';
import type { Answer, Scope } from './scope.ts';
import { findTarget, type Target } from './target.ts';

/** What becomes of a call: it may run, with these arguments, or this is the answer to it. */
export type Outcome =
  | {
      readonly kind: 'run';
      readonly tool: ResolvedTool;
      /** As the tool's schema reads them: a Standard Schema may have changed them. */
      readonly arguments: unknown;
      /** As the model meant them. */
      readonly input: JsonObject;
    }
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly target?: string;
      /** The arguments the model meant, where only the tool's schema objects to them. */
      readonly input?: JsonObject;
    };

/** A call through a dispatcher: the target is found, loaded and its arguments judged by its schema. */
export async function callThrough(
  scope: Scope,
  wireName: string,
  envelope: Envelope,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { target: name } = envelope;
  if (name === undefined) {
    return answer(malformedCall(scope, wireName, envelope.problem ?? 'No tool is named.'));
  }
  if (scope.bridges.kind(name) !== undefined && !scope.toolbox.registry.get(name)) {
    return answer(bridgeInBridge(wireName, name));
  }
  return judge(scope, await findTarget(scope, name, signal), name, envelope, signal);
}

/** A native call of a tool by a name of its own, declared or not. */
export async function callDirectly(
  scope: Scope,
  name: string,
  envelope: Envelope,
  signal?: AbortSignal,
): Promise<Outcome> {
  return judge(scope, await findTarget(scope, name, signal), name, envelope, signal);
}

async function judge(
  scope: Scope,
  target: Target,
  name: string,
  envelope: Envelope,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  if (!target.ok) return answer(target.answer, name);
  const { entry, tool } = target;
  const invalid = (problems: readonly string[]) =>
    answer(invalidArguments(scope, entry, tool, problems), entry.name);
  if (envelope.problem !== undefined) return invalid([envelope.problem]);
  const definition = scope.toolbox.definitionOf(entry, tool);
  const settled = settleArguments(envelope, parameterNames(definition.parameters));
  if (!settled.ok) return invalid([settled.problem]);
  const check = await checkArguments(tool, settled.arguments, signal);
  if (check.warning) scope.toolbox.warnOfSchema(definition, check.warning);
  if (!check.ok) return { ...invalid(check.problems), input: settled.arguments };
  const resolved = scope.toolbox.resolved(entry, tool);
  return { kind: 'run', tool: resolved, arguments: check.value, input: settled.arguments };
}

function answer(value: Answer, target?: string): Outcome {
  return target === undefined
    ? { kind: 'answer', answer: value }
    : { kind: 'answer', answer: value, target };
}
