import { invalidOption } from '../../errors.ts';
import { isRecord } from '../values/index.ts';
import type { DeferredToolGroup } from './group.ts';

/** The rule for one field of a group. */
type Rule = readonly [isFine: (value: unknown) => boolean, expected: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** All fields except the id, which is checked first, because errors name the group by it. */
const FIELDS: Readonly<Record<Exclude<keyof DeferredToolGroup, 'groupId'>, Rule>> = {
  loader: [(value) => typeof value === 'function', 'a function that returns the tools'],
  toolNames: [orUndefined(isListOf(isText)), 'a list of names'],
  toolSummaries: [
    orUndefined(isListOf((item) => isRecord(item) && isText(item.name))),
    'a list of objects with a `name`',
  ],
  displayName: [orUndefined(isText), 'a text'],
  description: [orUndefined(isText), 'a text'],
  fingerprint: [orUndefined(isText), 'a text'],
  schemaTokens: [
    orUndefined((value) => typeof value === 'number' && value >= 0),
    'tokens, 0 or more',
  ],
  prefix: [orUndefined(isBoolean), 'true or false'],
  trusted: [orUndefined(isBoolean), 'true or false'],
  exposure: [
    orUndefined((value) => value === 'inline' || value === 'deferred' || value === 'hidden'),
    'inline, deferred or hidden',
  ],
  resultFormat: [orUndefined((value) => value === 'mcp'), 'mcp, or left out'],
  unavailable: [
    orUndefined((value) => isRecord(value) && isText(value.reason)),
    'an object with a `reason`',
  ],
};

/**
 * Throws `invalid-option` for the first invalid field of a group. The error names the group, or
 * its index if it has no id.
 */
export function checkGroups(groups: unknown): void {
  if (!Array.isArray(groups)) throw invalidOption('groups', 'a list of groups');
  groups.forEach((group: unknown, index) => {
    if (!isRecord(group)) throw invalidOption(`groups[${index}]`, 'a group');
    const { groupId } = group;
    if (typeof groupId !== 'string' || groupId === '')
      throw invalidOption(`groups[${index}].groupId`, 'a text such as mcp:github');
    for (const [field, [isFine, expected]] of Object.entries(FIELDS)) {
      if (!isFine(group[field])) throw invalidOption(`groups.${groupId}.${field}`, expected);
    }
  });
}

function isListOf(isFine: (item: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isFine);
}

function orUndefined(isFine: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isFine(value);
}
