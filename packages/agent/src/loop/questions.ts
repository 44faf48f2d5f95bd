import { askerOf } from '@toolfold/core/internal/host';
import type { ToolLayer } from '@toolfold/core/internal/session';
import {
  canonicalJson,
  isRecord,
  listIn,
  ownProperty,
  pick,
  plainLine,
} from '@toolfold/core/internal/values';
import type { ModelMessage, TextStreamPart, ToolApprovalRequest, ToolSet } from 'ai';
import type { Kinds, Write } from '../entries/index.ts';
import {
  type ApprovalAnswer,
  type AskedBy,
  type DecisionSource,
  type PendingApproval,
  readAskedBy,
} from '../events/index.ts';
import type { AgentFold } from '../options/index.ts';
import { type Binding, partsOf, toolboxOf } from '../state/index.ts';

type RequestPart = Extract<TextStreamPart<ToolSet>, { type: 'tool-approval-request' }>;
type Layer = AgentFold['layer'];

/** A question about a call, as its entry holds it. */
export type ApprovalEntry = Kinds['approval'];

/** The question of a request for approval in the stream of the AI SDK. `messages`: with that request. */
export function questionOf(
  { approvalId, reason, toolCall }: RequestPart,
  messages: readonly ModelMessage[],
): ApprovalEntry {
  const { toolCallId: id, toolName: name, input } = toolCall;
  const requests = partsOf(messages).filter((part) => part.type === 'tool-approval-request');
  const asked = requests.findLast((one) => one.approvalId === approvalId);
  const request = asked ? requestOf(asked) : {};
  const { providerMetadata } = toolCall;
  const options = providerMetadata ? { providerOptions: providerMetadata } : {};
  return {
    ...{ approvalId, id, name, arguments: input },
    ...(reason === undefined ? {} : { reason }),
    ...askedByOf(toolCall),
    call: { toolName: name, ...options },
    ...(Object.keys(request).length > 0 ? { request } : {}),
  };
}

/** What the SDK keeps of a request beside its ids. */
function requestOf({
  type: _,
  approvalId: __,
  toolCallId: ___,
  isAutomatic: ____,
  ...request
}: ToolApprovalRequest): Readonly<Record<string, unknown>> {
  return request;
}

/** Who requires the approval of a call. Hooks do not see calls that the provider runs. */
function askedByOf({ providerExecuted, providerMetadata }: RequestPart['toolCall']): AskedBy {
  const asker = providerExecuted ? { by: 'setting' } : askerOf(providerMetadata);
  return readAskedBy({ askedBy: asker.by, askKey: ownProperty(asker, 'key') });
}

/** The entry of a question, with the tool as the user sees it. */
export function entryOf(layer: Layer, question: ApprovalEntry): Write {
  const { definition: _, ...asked } = question;
  const definition = definitionIn(layer, question.name);
  return ['approval', { ...asked, ...(definition === undefined ? {} : { definition }) }];
}

/** The question again, because the tool or its arguments have changed: the call is bound to the present tool. */
export function questionAgain(
  question: ApprovalEntry,
  { input, ...call }: Binding,
  layer: Layer,
): ApprovalEntry {
  return { ...question, ...askedAgain(question, input, layer), ...call };
}

/** The entry of an answer. */
export function answerOf(
  layer: Layer,
  { approvalId, id, name, ...asked }: ApprovalEntry,
  { approved, scope, reason, tools }: ApprovalAnswer,
  source: DecisionSource,
): Write {
  const fingerprint = layer.fingerprintOf(name);
  return [
    'answer',
    {
      ...{ approvalId, id, name, approved },
      ...readAskedBy(asked),
      ...pick({ scope, reason, fingerprint, tools }, 'scope', 'reason', 'fingerprint', 'tools'),
      source,
    },
  ];
}

/** How many changes are named, and how long the text of each is at most. */
const MAX_LINES = 5;
const MAX_LENGTH = 200;

/** The reason of a repeated approval request. */
const CHANGED = 'the tool or its arguments have changed since you were asked';

/** What the user was shown of a call. `definition`: the tool, as canonical JSON. */
export interface ApprovalDetails {
  readonly definition?: string | undefined;
  readonly arguments: unknown;
}

/** Why the user is asked again, and about which arguments. */
type Again = Required<Pick<PendingApproval, 'reason' | 'changes' | 'arguments'>>;

/**
 * Why the user is asked again about a call whose tool or arguments have changed. `before`: what was shown
 * when the user was asked the last time. `input`: the arguments that would run now.
 */
function askedAgain(
  before: ApprovalDetails & Pick<PendingApproval, 'name'>,
  input: unknown,
  layer: Pick<ToolLayer, 'bindingOf'>,
): Again {
  const now = { definition: definitionIn(layer, before.name), arguments: input };
  const changes = changesBetween(before, now);
  const reason = changes.length > 0 ? `${CHANGED}: ${changes.join('; ')}` : CHANGED;
  return { reason, changes, arguments: input };
}

/**
 * A tool as the user sees it, as canonical JSON: name, description and parameters. Undefined if the tool
 * has not loaded or is gone, and for a layer of another copy of this package.
 */
function definitionIn(layer: Pick<ToolLayer, 'bindingOf'>, name: string): string | undefined {
  const toolbox = toolboxOf(layer);
  const entry = toolbox?.registry.get(name);
  const tool = entry && toolbox?.toolOf(entry);
  return tool && canonicalJson(toolbox?.definitionOf(entry, tool));
}

/**
 * Names what differs between what the user was asked about and what would run now, such as `description`,
 * `parameters.path: required now`, `arguments.to: changed`. At most 5 lines of 200 characters. Empty if
 * the earlier definition is not known.
 */
export function changesBetween(before: ApprovalDetails, now: ApprovalDetails): readonly string[] {
  const lines = [
    ...changesOfTool(parsed(before.definition), parsed(now.definition)),
    ...changesOf('arguments', before.arguments, now.arguments, recordOf),
  ];
  const rest = lines.length - (MAX_LINES - 1);
  const named = lines.length > MAX_LINES ? [...lines.slice(0, -rest), `${rest} more`] : lines;
  // The names come from servers.
  return named.map((line) => plainLine(line, MAX_LENGTH));
}

function parsed(definition: string | undefined): unknown {
  return definition === undefined ? undefined : JSON.parse(definition);
}

function changesOfTool(before: unknown, now: unknown): string[] {
  if (!isRecord(before) || !isRecord(now)) return [];
  const keys = ['name', 'description'].filter((key) => !isEqual(before[key], now[key]));
  return [...keys, ...changesOf('parameters', before.parameters, now.parameters, propertiesOf)];
}

/** The changes member by member. `membersOf`: those of a value, or the properties of the schema of an object. */
function changesOf(
  path: string,
  before: unknown,
  now: unknown,
  membersOf: (value: unknown) => Readonly<Record<string, unknown>> | undefined,
): string[] {
  if (isEqual(before, now)) return [];
  const [was, is] = [membersOf(before), membersOf(now)];
  if (!was || !is) return [`${path}: changed`];
  const isRequired = (schema: unknown, key: string) =>
    membersOf === propertiesOf && listIn(schema, 'required').includes(key);
  const lines = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort().flatMap((key) => {
    const at = `${path}.${key}`;
    const required = isRequired(now, key);
    if (!Object.hasOwn(was, key)) return [`${at}: new${required ? ', required' : ''}`];
    if (!Object.hasOwn(is, key)) return [`${at}: removed`];
    const need = required ? 'required now' : 'optional now';
    return [
      ...(isRequired(before, key) === required ? [] : [`${at}: ${need}`]),
      ...changesOf(at, was[key], is[key], membersOf),
    ];
  });
  return lines.length > 0 ? lines : [`${path}: changed`];
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  return recordOf(ownProperty(schema, 'properties'));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
