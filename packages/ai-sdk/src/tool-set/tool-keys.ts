import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { editsBetween } from '@toolfold/core/internal/near-names.ts';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool';
import {
  isRecord,
  type KnownOptions,
  type OptionCheck,
  oneLine,
} from '@toolfold/core/internal/values';
import type { Tool as SdkTool } from 'ai';
import type { SdkBackedTool } from './own-tools.ts';

type KeysOf<T> = T extends unknown ? keyof T : never;
type Checks<KEYS extends PropertyKey> = Readonly<Record<KEYS, OptionCheck>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const ANY: OptionCheck = [() => true, ''];
const TEXT: OptionCheck = [isText, 'a text'];
const SWITCH: OptionCheck = [(value) => typeof value === 'boolean', 'true or false'];
const FUNCTION: OptionCheck = [(value) => typeof value === 'function', 'a function'];

/** The fields of a tool of the AI SDK, whose schemas have a check of their own. */
export const SDK_KEYS: Checks<KeysOf<SdkTool>> = {
  type: TEXT,
  description: [(value) => isText(value) || typeof value === 'function', 'a text or a function'],
  title: ANY,
  inputSchema: ANY,
  outputSchema: ANY,
  contextSchema: ANY,
  execute: FUNCTION,
  needsApproval: [
    (value) => typeof value === 'boolean' || typeof value === 'function',
    'true, false or a function',
  ],
  deferLoading: SWITCH,
  strict: SWITCH,
  inputExamples: [Array.isArray, 'a list'],
  providerOptions: [isRecord, 'an object'],
  metadata: ANY,
  toModelOutput: FUNCTION,
  onInputStart: FUNCTION,
  onInputDelta: FUNCTION,
  onInputAvailable: FUNCTION,
  id: TEXT,
  args: ANY,
  isProviderExecuted: SWITCH,
  supportsDeferredResults: SWITCH,
};

/** The fields of a tool in the list of a loader. The core checks its name, description and schema. */
export const LIST_KEYS: Checks<KeysOf<SdkBackedTool>> = {
  name: ANY,
  description: ANY,
  inputSchema: ANY,
  annotations: ANY,
  meta: ANY,
  exposure: [
    (value) => ['inline', 'deferred', 'hidden'].includes(value as string),
    'inline, deferred or hidden',
  ],
  inlineBecause: TEXT,
  takesBigints: SWITCH,
  execute: FUNCTION,
  needsApproval: SDK_KEYS.needsApproval,
  contextSchema: ANY,
  isClientSide: SWITCH,
  generate: FUNCTION,
  onInputStart: FUNCTION,
  onInputDelta: FUNCTION,
  onInputAvailable: FUNCTION,
  toModelOutput: FUNCTION,
};

const NOT_OF_A_MAP: OptionCheck = [
  () => false,
  'left out: a tool of the AI SDK has `deferLoading`, and `exposure` of createFold or of the group takes names',
];
/** The fields of both kinds may stand on either, since tools are often copied. */
const IN_MAP: Checks<string> = {
  ...LIST_KEYS,
  ...SDK_KEYS,
  exposure: NOT_OF_A_MAP,
  experimental_toolCaller: ANY,
};
const IN_LIST: Checks<string> = { ...IN_MAP, ...LIST_KEYS };

/** The fields of a group, whose values the core checks. */
export const GROUP_KEYS: KnownOptions<DeferredToolGroup> = {
  groupId: true,
  displayName: true,
  description: true,
  toolNames: true,
  toolSummaries: true,
  schemaTokens: true,
  loader: true,
  fingerprint: true,
  prefix: true,
  trusted: true,
  exposure: true,
  resultFormat: true,
  unavailable: true,
};

/** What is wrong with a field of a tool or group. */
interface KeyProblem {
  readonly key: string;
  /** The value that is expected of a known key. */
  readonly expected?: string;
  /** The known key that an unknown one resembles. */
  readonly meant?: string;
}

/**
 * The first field that its owner cannot have meant: a known one with a wrong value, or an unknown one that is spelt
 * almost as a known one. The AI SDK and apps may add other fields. Null is no value.
 */
export function problemOfTool(tool: object, kind: 'map' | 'list'): KeyProblem | undefined {
  const checks = kind === 'map' ? IN_MAP : IN_LIST;
  const fields = tool as Readonly<Record<string, unknown>>;
  for (const [key, [isFine, expected]] of Object.entries(checks)) {
    if (isFine === ANY[0]) continue;
    // A tool may be an instance of a class.
    const value = fields[key] ?? undefined;
    if (value !== undefined && !isFine(value)) return { key, expected };
  }
  return misspelt(tool, Object.keys(checks));
}

/** The first unknown field with a value that is spelt almost as a known one. */
export function misspelt(value: object, known: readonly string[]): KeyProblem | undefined {
  for (const key of Object.keys(value)) {
    // A name that starts with `_` is private, or MCP's `_meta`.
    if (known.includes(key) || key.startsWith('_')) continue;
    const meant = known.find((name) => isMisspelt(key, name));
    const isGiven = meant !== undefined && (value as Record<string, unknown>)[key] !== undefined;
    if (isGiven) return { key, meant };
  }
  return;
}

/** Up to 1 edit, and 2 of a name of eight letters or more. Short names must keep their letters: `beta` is not `meta`. */
function isMisspelt(key: string, name: string): boolean {
  if (name.length < 4 || key.length > 2 * name.length) return false;
  const [given, known] = [lettersOf(key), lettersOf(name)];
  const allowed = known.length < 8 ? 1 : 2;
  if (editsBetween(given, known, allowed) > allowed) return false;
  return known.length >= 6 || given.length !== known.length || sorted(given) === sorted(known);
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const sorted = (text: string): string => [...text].sort().join('');

/** Throws `invalid-option` for the problem of a tool or group. `path`: its place in the options. */
export function refuse(path: string, problem: KeyProblem | undefined): void {
  if (!problem) return;
  const { key, expected, meant } = problem;
  if (expected !== undefined) throw invalidOption(`${path}.${key}`, expected);
  throw new ToolfoldError(
    'invalid-option',
    `\`${path}\` has no field "${oneLine(key, 80)}".`,
    `Did you mean "${meant}"?`,
  );
}

/** What a loader returned without the tools that have a problem, each with a warning. */
export function usableTools<T>(loaded: T, groupId: string, warn: (text: string) => void): T {
  if (!isRecord(loaded) && !Array.isArray(loaded)) return loaded;
  const kind = Array.isArray(loaded) ? 'list' : 'map';
  const isUsable = (tool: unknown, name: unknown): boolean => {
    const problem = isRecord(tool) ? problemOfTool(tool, kind) : undefined;
    if (!problem) return true;
    const { key, expected, meant } = problem;
    const why =
      expected === undefined
        ? `has no field "${oneLine(key, 80)}": did you mean "${meant}"?`
        : `has a wrong value in "${key}". Expected: ${expected}.`;
    warn(`${groupId}: the tool "${oneLine(String(name), 80)}" was left out. It ${why}`);
    return false;
  };
  if (Array.isArray(loaded)) return loaded.filter((tool) => isUsable(tool, tool?.name)) as T;
  return Object.fromEntries(
    Object.entries(loaded).filter(([name, tool]) => isUsable(tool, name)),
  ) as T;
}
