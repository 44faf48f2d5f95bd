import { nearNames } from '../../tools/near/index.ts';
import { strategyNames } from '../../tools/strategies/index.ts';
import type { Exposure } from '../../tools/tool/index.ts';
import { isAmount } from '../../tools/values/index.ts';
import type {
  ApprovalSettings,
  CategorySetting,
  PriceSettings,
  RoutingSetting,
  StrategySetting,
  SubagentSettings,
  ToolfoldSettings,
} from './config.ts';
import { aKind, type JsonSource, type Node, quote } from './json-source.ts';

/** Reads one value of the block, or throws `invalid-config` saying what was expected. */
type Reader<T> = (source: JsonSource, node: Node, path: string) => T;

const LIST = 'a list of strings';
const exposures: readonly Exposure[] = ['inline', 'deferred', 'hidden'];
const routings: readonly RoutingSetting[] = ['off', 'preload', 'narrow'];
const approvalModes: readonly NonNullable<ApprovalSettings['mode']>[] = [
  'annotations',
  'always',
  'never',
];

/** The ranges are the agent's (`src/agent/subagents`), which says no more than that it refuses. */
const subagentReaders: {
  readonly [Key in keyof SubagentSettings]-?: Reader<SubagentSettings[Key]>;
} = {
  roles: filled(texts, 'the name of a role, or more'),
  wide: flag,
  warmCache: flag,
  concurrency: within(1, 12),
  timeout: within(1, 900),
  depth: within(1, 4),
  maxRounds: count,
  instructions: text,
  withhold: texts,
  resultBytes: within(10_000, 10_000_000),
  budget: filled(objectOf({ tokens: count, cost: moneyAboveZero }), 'tokens, cost or both'),
};

const readers: { readonly [Key in keyof ToolfoldSettings]-?: Reader<ToolfoldSettings[Key]> } = {
  strategy,
  exposure: recordOf(oneOf(exposures)),
  catalog: objectOf({ header: text, budget: count, hints: flag }),
  roles: recordOf(objectOf({ tools: textsOrFalse, groups: texts, model: name, maxRounds: count })),
  categories: recordOf(categoryOrFalse),
  routing: oneOf(routings),
  maxRounds: count,
  models: mapOf(objectOf({ maxRounds: count, contextWindow: count, strategy, price })),
  approvals: objectOf({ mode: oneOf(approvalModes), allow: texts }),
  subagents,
  servers: mapOf(objectOf({ trusted: flag })),
};

/** Checks the `toolfold` block; throws `invalid-config` with position, finding and expectation. */
export function readSettings(source: JsonSource, node: Node): ToolfoldSettings {
  return objectOf(readers)(source, node, 'toolfold');
}

function strategy(source: JsonSource, node: Node, path: string): StrategySetting {
  if (node.type === 'boolean' && node.value === false) return 'eager';
  return oneOf(strategyNames as readonly StrategySetting[])(source, node, path);
}

function text(source: JsonSource, node: Node, path: string): string {
  if (node.type !== 'string') throw unexpected(source, node, path, 'a string');
  return String(node.value);
}

/** A name or a glob: a blank one means nothing, and mostly is a variable that somebody forgot to set. */
function name(source: JsonSource, node: Node, path: string): string {
  const value = text(source, node, path);
  if (value.trim() === '') throw blank(source, node, path);
  return value;
}

function texts(source: JsonSource, node: Node, path: string): readonly string[] {
  if (node.type !== 'array') throw unexpected(source, node, path, LIST);
  return (node.children ?? []).map((item, index) => name(source, item, `${path}[${index}]`));
}

function textsOrFalse(source: JsonSource, node: Node, path: string): readonly string[] | false {
  if (node.type === 'array') return texts(source, node, path);
  if (node.value === false) return false;
  throw unexpected(source, node, path, 'a list of strings, or false for none');
}

function flag(source: JsonSource, node: Node, path: string): boolean {
  if (node.type !== 'boolean') throw unexpected(source, node, path, 'true or false');
  return node.value === true;
}

function count(source: JsonSource, node: Node, path: string): number {
  if (!Number.isSafeInteger(node.value) || node.value < 1) {
    throw unexpected(source, node, path, 'a whole number of at least 1');
  }
  return Number(node.value);
}

function within(least: number, most: number): Reader<number> {
  return (source, node, path) => {
    const { value } = node;
    if (Number.isSafeInteger(value) && value >= least && value <= most) return Number(value);
    throw unexpected(source, node, path, `a whole number from ${least} to ${most}`);
  };
}

/** A list or an object that has something in it. */
function filled<T>(read: Reader<T>, expected: string): Reader<T> {
  return (source, node, path) => {
    const value = read(source, node, path);
    if (node.children?.length) return value;
    throw source.error(node, `${path} is empty.`, `Expected ${expected}; or leave the key out.`);
  };
}

function money(source: JsonSource, node: Node, path: string): number {
  if (!isAmount(node.value)) throw unexpected(source, node, path, 'a number, 0 or more');
  return node.value;
}

function moneyAboveZero(source: JsonSource, node: Node, path: string): number {
  if (!isAmount(node.value) || node.value === 0) {
    throw unexpected(source, node, path, 'a number above 0');
  }
  return node.value;
}

function price(source: JsonSource, node: Node, path: string): PriceSettings {
  const read = objectOf({ input: money, output: money, cacheRead: money, cacheWrite: money });
  const { input, output, ...cache } = read(source, node, path);
  if (input === undefined) throw missing(source, node, path, 'input', 'a number');
  if (output === undefined) throw missing(source, node, path, 'output', 'a number');
  return { input, output, ...cache };
}

function subagents(source: JsonSource, node: Node, path: string): SubagentSettings | boolean {
  if (node.type === 'boolean') return node.value === true;
  if (node.type !== 'object') throw unexpected(source, node, path, 'an object, true or false');
  return objectOf(subagentReaders)(source, node, path);
}

function categoryOrFalse(source: JsonSource, node: Node, path: string): CategorySetting | false {
  if (node.type === 'boolean' && node.value === false) return false;
  if (node.type !== 'object') {
    throw unexpected(source, node, path, 'an object with words and tools, or false for none');
  }
  const read = objectOf({ words: texts, tools: texts, not: texts });
  const { words, tools, not } = read(source, node, path);
  if (words === undefined) throw missing(source, node, path, 'words', LIST);
  if (tools === undefined) throw missing(source, node, path, 'tools', LIST);
  return not === undefined ? { words, tools } : { words, tools, not };
}

function oneOf<T extends string>(allowed: readonly T[]): Reader<T> {
  return (source, node, path) => {
    const found = allowed.find((candidate) => candidate === node.value);
    if (found !== undefined) return found;
    const [near] = node.type === 'string' ? nearNames(String(node.value), allowed, 1) : [];
    throw unexpected(source, node, path, `one of ${allowed.join(', ')}`, near);
  };
}

function mapOf<T>(read: Reader<T>): Reader<ReadonlyMap<string, T>> {
  return (source, node, path) => {
    if (node.type !== 'object') throw unexpected(source, node, path, 'an object');
    const entries = [...source.members(node)];
    for (const [key, { key: at }] of entries) {
      if (key.trim() === '') throw blank(source, at, `a name in ${path}`);
    }
    return new Map(
      entries.map(([key, { value }]) => [key, read(source, value, `${path}.${quote(key)}`)]),
    );
  };
}

function recordOf<T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> {
  const readMap = mapOf(read);
  return (source, node, path) => Object.fromEntries(readMap(source, node, path));
}

function objectOf<Shape extends Record<string, Reader<unknown>>>(
  shape: Shape,
): Reader<{ readonly [Key in keyof Shape]?: ReturnType<Shape[Key]> }> {
  const keys = Object.keys(shape);
  return (source, node, path) => {
    if (node.type !== 'object') throw unexpected(source, node, path, 'an object');
    const result: { [Key in keyof Shape]?: ReturnType<Shape[Key]> } = {};
    for (const [key, member] of source.members(node)) {
      const known = keys.find((candidate) => candidate === key);
      if (known === undefined) throw unknownKey(source, member.key, key, path, keys);
      Object.assign(result, { [known]: shape[known]?.(source, member.value, `${path}.${known}`) });
    }
    return result;
  };
}

function unknownKey(
  source: JsonSource,
  node: Node,
  key: string,
  path: string,
  keys: readonly string[],
): Error {
  const [near] = nearNames(key, keys, 1);
  const known = `The keys of ${path} are ${keys.join(', ')}.`;
  return source.error(
    node,
    `Unknown key ${quote(key)} in ${path}.`,
    near === undefined ? known : `Did you mean "${near}"? ${known}`,
  );
}

function blank(source: JsonSource, node: Node, what: string): Error {
  return source.error(node, `${what} is blank.`, 'Fill it in, or leave it out.');
}

function missing(
  source: JsonSource,
  node: Node,
  path: string,
  key: string,
  expected: string,
): Error {
  return source.error(node, `${path} lacks "${key}".`, `Expected ${expected} there.`);
}

function unexpected(
  source: JsonSource,
  node: Node,
  path: string,
  expected: string,
  near?: string,
): Error {
  const found = ['string', 'number', 'boolean'].includes(node.type)
    ? `${node.type} ${quote(String(node.value))}`
    : aKind(node.type);
  const hint = `Expected ${expected}.`;
  return source.error(
    node,
    `${path} is ${found}.`,
    near === undefined ? hint : `${hint} Did you mean "${near}"?`,
  );
}
