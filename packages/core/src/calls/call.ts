import { parameterNames } from '../schema/index.ts';
import type { BridgeKind } from '../tool/index.ts';
import { callSignature, schemasIn } from '../transcript/index.ts';
import {
  canonicalJson,
  isRecord,
  type JsonObject,
  listIn,
  ownProperty,
  withMarks,
} from '../values/index.ts';
import { describeTools } from './describe.ts';
import { loadTools } from './load.ts';
import {
  answeredBefore,
  bridgeInBridge,
  invalidArguments,
  malformedCall,
  malformedInput,
  missingName,
  notDeclarable,
  ok,
  repeated,
} from './refusals.ts';
import {
  type AnswerRoute,
  assess,
  type Decided,
  type Envelope,
  noRoom,
  type ParsedCall,
  type RouteOptions,
  readArguments,
  type Scope,
  unchecked,
} from './route.ts';
import { searchTools } from './search.ts';
import { findTarget, objectOf, settleArguments } from './target.ts';

/** `request_tool`: declares one tool from the next step on. */
async function requestTool(
  scope: Scope,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<AnswerRoute> {
  const requested = ownProperty(request, 'name');
  if (typeof requested !== 'string' || requested.trim() === '') {
    return missingName('Say which tool in `name`.');
  }
  const target = await findTarget(scope, requested.trim(), signal);
  if (target.kind === 'answer') return target;
  const { name, groupId } = target.entry;
  const isDeclared = scope.declared.has(name);
  const refusal = scope.refusal(target.entry) ?? (isDeclared ? undefined : noRoom(scope));
  if (refusal !== undefined) return notDeclarable(target.entry, refusal);
  if (!isDeclared) scope.onToolsExpanded(groupId ?? '', [target.tool]);
  const when = isDeclared ? 'now' : 'from your next step on';
  return ok({ name, declared: true, next: `Call ${name} ${when}.` });
}

/** How often a load or search is answered in full, as long as messages hold these answers. */
const REPEATS = 2;

type BridgeHandler = (
  scope: Scope,
  request: JsonObject,
  signal?: AbortSignal,
) => Promise<AnswerRoute>;

/** The bridge tools that answer themselves. */
const ANSWERING: { readonly [kind in BridgeKind]?: BridgeHandler } = {
  load_tools: loadTools,
  tool_search: searchTools,
  tool_describe: describeTools,
  request_tool: requestTool,
};

/**
 * Decides whether a call runs or what it is answered. `attemptOf` counts the tries of a
 * call that failed. Rejects when the signal fires.
 */
export async function decideCall(
  scope: Scope,
  call: ParsedCall,
  attemptOf: (call: ParsedCall) => number,
  options: RouteOptions,
): Promise<Decided> {
  const { envelope } = call;
  const decided = envelope
    ? await decideTarget(scope, call, envelope, options)
    : await answerOf(scope, call, options.signal);
  if (decided.kind !== 'answer' || !decided.isError) return decided;
  const attempt = attemptOf(call);
  return attempt > 1 ? repeated(decided, attempt) : decided;
}

async function answerOf(
  scope: Scope,
  { name, input, kind }: ParsedCall,
  signal: AbortSignal | undefined,
): Promise<AnswerRoute> {
  const read = readArguments(input);
  if (read.kind === 'unusable') return malformedInput(name, read.problem);
  const answering = kind && ANSWERING[kind];
  if (!answering) throw new TypeError(`${name} was not read as a call.`);
  const earlier = scope.conversation.answered.get(callSignature(kind, input));
  const reply = await answering(scope, objectOf(read), signal);
  if (!earlier || earlier.times < REPEATS || reply.isError) return reply;
  return isSameAnswer(kind, earlier.output, reply.result)
    ? answeredBefore(earlier.times + 1)
    : reply;
}

/**
 * Whether an answer says nothing beyond one that the messages hold. Advice does not count. A search that shows no schema,
 * as the messages hold them all, is compared by the names that it finds.
 */
function isSameAnswer(kind: BridgeKind, output: unknown, now: JsonObject): boolean {
  if (!isRecord(output)) return false;
  const parts = (result: object) =>
    kind === 'tool_search' && schemasIn(kind, now).length === 0
      ? [result, ...listIn(result, 'results')].flatMap((part) =>
          listIn(part, 'matches').map((hit) => ownProperty(hit, 'name')),
        )
      : { ...result, next: undefined };
  return canonicalJson(parts(output)) === canonicalJson(parts(now));
}

/** Decides on a call of a tool, direct or through a dispatcher: finds and loads the tool and checks its arguments. */
async function decideTarget(
  scope: Scope,
  { name: wireName, kind, entry: known }: ParsedCall,
  envelope: Envelope,
  { signal, check: isChecked = true }: RouteOptions,
): Promise<Decided> {
  const { toolbox, bridges } = scope;
  const { target: name, problem } = envelope;
  if (name === undefined) return malformedCall(scope, wireName, problem ?? 'No tool is named.');
  if (kind !== undefined && bridges.kinds.get(name) !== undefined && !toolbox.registry.get(name)) {
    return bridgeInBridge(wireName, name);
  }
  const target = await findTarget(scope, name, signal, known);
  if (target.kind === 'answer') return { ...target, target: name };
  const { entry, tool } = target;
  const refusal = scope.refusal(entry);
  if (refusal !== undefined) return { ...notDeclarable(entry, refusal), target: entry.name };
  const definition = toolbox.definitionOf(entry, tool);
  const invalid = (problems: readonly string[]): AnswerRoute => ({
    ...invalidArguments(scope, definition, problems),
    target: entry.name,
  });
  if (problem !== undefined) return invalid([problem]);
  // Without the check, the schema does not say what the model meant either.
  const parameters = isChecked ? parameterNames(definition.parameters) : new Set<string>();
  const settled = settleArguments(envelope, parameters);
  if (!settled.ok) return invalid([settled.problem]);
  const given = settled.arguments;
  const assessed = isChecked
    ? await assess(toolbox, entry, tool, given, signal)
    : unchecked(tool, given);
  const { check, changes } = assessed;
  const input = withMarks(assessed.input) as JsonObject;
  if (check.warning) toolbox.warnOfSchema(definition, check.warning);
  if (!check.ok) return { ...invalid(check.problems), input };
  const resolved = toolbox.resolvedTool(entry, tool);
  const via = kind === undefined ? ('native' as const) : ('bridge' as const);
  const repairs = changes.length > 0 ? { repairs: changes } : {};
  const run = { arguments: check.value, input, via, ...repairs };
  return { kind: 'run', tool: resolved, ...run, entry };
}

export { findTarget };
