import type { ToolLayer } from '../../tools/index.ts';
import { canonicalJson, isRecord, ownProperty, plainLine } from '../../tools/values/index.ts';
import { toolboxOf } from '../conversation/index.ts';
import type { PendingApproval } from '../events/index.ts';

/** How many changes are named, and how long the text of each is at most. */
const MAX_LINES = 5;
const MAX_LENGTH = 200;

/** The reason of a repeated approval request. */
const CHANGED = 'the tool or its arguments have changed since you were asked';

/** What the user was shown of a call. `definition`: the tool, as canonical JSON. */
export interface Shown {
  readonly definition: string | undefined;
  readonly arguments: unknown;
}

/** Why the user is asked again, and about which arguments. */
type Again = Required<Pick<PendingApproval, 'reason' | 'changes' | 'arguments'>>;

/**
 * Why the user is asked again about a call whose tool or arguments have changed. `before`: what was shown
 * when the user was asked the last time, where that is known. `input`: the arguments that would run now.
 */
export function askedAgain(
  { name }: Pick<PendingApproval, 'name'>,
  input: unknown,
  before: Shown | undefined,
  layer: Pick<ToolLayer, 'bindingOf'>,
): Again {
  const now = { definition: definitionIn(layer, name), arguments: input };
  const changes = before ? changesBetween(before, now) : [];
  const reason = changes.length > 0 ? `${CHANGED}: ${changes.join('; ')}` : CHANGED;
  return { reason, changes, arguments: input };
}

/**
 * A tool as the user sees it, as canonical JSON: name, description and parameters. Undefined if the tool
 * has not loaded or is gone, and for a layer of another copy of this package.
 */
export function definitionIn(
  layer: Pick<ToolLayer, 'bindingOf'>,
  name: string,
): string | undefined {
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
export function changesBetween(before: Shown, now: Shown): readonly string[] {
  const lines = [
    ...changesOfTool(parsed(before.definition), parsed(now.definition)),
    ...changesOfValue('arguments', before.arguments, now.arguments),
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
  return [...keys, ...changesOfSchema('parameters', before.parameters, now.parameters)];
}

/** The changes of a schema of an object, property by property. */
function changesOfSchema(path: string, before: unknown, now: unknown): string[] {
  if (isEqual(before, now)) return [];
  const [was, is] = [propertiesOf(before), propertiesOf(now)];
  if (!was || !is) return [`${path}: changed`];
  const lines = keysOf(was, is).flatMap((key) => {
    const at = `${path}.${key}`;
    const required = isRequired(now, key);
    if (!Object.hasOwn(was, key)) return [`${at}: new${required ? ', required' : ''}`];
    if (!Object.hasOwn(is, key)) return [`${at}: removed`];
    const need = required ? 'required now' : 'optional now';
    return [
      ...(isRequired(before, key) === required ? [] : [`${at}: ${need}`]),
      ...changesOfSchema(at, was[key], is[key]),
    ];
  });
  return lines.length > 0 ? lines : [`${path}: changed`];
}

function changesOfValue(path: string, before: unknown, now: unknown): string[] {
  if (isEqual(before, now)) return [];
  if (!isRecord(before) || !isRecord(now)) return [`${path}: changed`];
  return keysOf(before, now).flatMap((key) => {
    const at = `${path}.${key}`;
    if (!Object.hasOwn(before, key)) return [`${at}: new`];
    return Object.hasOwn(now, key) ? changesOfValue(at, before[key], now[key]) : [`${at}: removed`];
  });
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const properties = ownProperty(schema, 'properties');
  return isRecord(properties) ? properties : undefined;
}

function isRequired(schema: unknown, key: string): boolean {
  const required = ownProperty(schema, 'required');
  return Array.isArray(required) && required.includes(key);
}

function keysOf(before: object, now: object): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
