import type { ResolvedTool } from '../registry/index.ts';
import { checkArguments, parameterNames } from '../schema/index.ts';
import type { JsonObject } from '../values/index.ts';
import { settleArguments } from './arguments.ts';
import type { Envelope } from './envelope.ts';
import { bridgeInBridge, invalidArguments, malformedCall } from './refusals.ts';
import type { Answer, Scope } from './scope.ts';
import { findTarget, type Target } from './target.ts';

/** The outcome of a call: run the tool with these arguments, or return this answer. */
export type Outcome =
  | {
      readonly kind: 'run';
      readonly tool: ResolvedTool;
      /** The arguments after the tool's schema: a Standard Schema may have changed them. */
      readonly arguments: unknown;
      /** The arguments that the model gave. */
      readonly input: JsonObject;
    }
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly target?: string;
      /** The arguments that the model gave, if only the tool's schema refuses them. */
      readonly input?: JsonObject;
    };

/** Handles a call through a dispatcher: finds and loads the target and checks its arguments. */
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
  return decideOn(scope, await findTarget(scope, name, signal), name, envelope, signal);
}

/** Handles a native call of a tool, declared or not. */
export async function callDirectly(
  scope: Scope,
  name: string,
  envelope: Envelope,
  signal?: AbortSignal,
): Promise<Outcome> {
  return decideOn(scope, await findTarget(scope, name, signal), name, envelope, signal);
}

async function decideOn(
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
