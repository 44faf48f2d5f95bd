import { ToolfoldError } from '../errors.ts';
import type { AcceptedTools } from '../tool/index.ts';
import { findMatch } from '../values/index.ts';
import { ACCEPTED_TOOLS, type AcceptedToolsRow } from './accepted-tools.ts';
import { CACHING, type ModelCaching } from './caching.ts';
import { CAPABILITIES, type ModelCapability, type NativeForm } from './capabilities.ts';
import { type ModelPrices, PRICES } from './prices.ts';
import { IMAGES, RESULT_FILES, type ResultFiles } from './result-files.ts';

/** The identity of a model in the AI SDK. Every language model object of the SDK has these fields. */
export interface ModelIdentity {
  readonly provider: string;
  readonly modelId: string;
}

/** A row of the app's own, without source and date. */
export type OwnCapability = Omit<ModelCapability, 'source' | 'date'>;
export type OwnPrices = Omit<ModelPrices, 'source' | 'date'>;
export type OwnResultFiles = Omit<ResultFiles, 'source' | 'date'>;

/**
 * The native forms of the model, best first. Empty if no row matches. `own` rows are tried before the
 * table's rows.
 */
export function nativeFormsOf(
  model: ModelIdentity,
  own: readonly OwnCapability[] = [],
): readonly NativeForm[] {
  return nativeRowOf(model, own)?.forms ?? [];
}

/** The row that says which native forms the model accepts; `undefined` if no row matches. */
export function nativeRowOf(
  model: ModelIdentity,
  own: readonly OwnCapability[] = [],
): OwnCapability | undefined {
  return firstMatch<OwnCapability>(model, own, CAPABILITIES);
}

/** The model's cache prices; `undefined` if no row matches. `own` rows are tried first. */
export function pricesOf<Own extends OwnPrices = ModelPrices>(
  model: ModelIdentity,
  own: readonly Own[] = [],
): Own | ModelPrices | undefined {
  return firstMatch<Own | ModelPrices>(model, own, PRICES);
}

/** When the AI SDK's provider sends a tool alone that is chosen by name; `undefined` for never. */
export function narrowedChoiceOf(model: ModelIdentity): NarrowedChoice['narrows'] | undefined {
  return firstMatch<NarrowedChoice>(model, [], NARROWED_CHOICES)?.narrows;
}

/** Whether the model refuses a message of the user behind the results of tools. */
export function hasStrictTurns(model: ModelIdentity): boolean {
  return firstMatch<StrictTurns>(model, [], STRICT_TURNS) !== undefined;
}

/**
 * Which files the model takes; `undefined` if no row matches. `own` rows are tried first. `images`: whether it sees
 * images, where its user says so.
 */
export function resultFilesOf(
  model: ModelIdentity,
  own: readonly OwnResultFiles[] = [],
  images?: boolean,
): OwnResultFiles | undefined {
  const row = firstMatch<OwnResultFiles>(model, own, RESULT_FILES);
  if (images === undefined) return row;
  const { inResult, inMessage } = row ?? { inResult: [], inMessage: [] };
  const given = { ...row, provider: model.provider, model: model.modelId };
  if (images) return { ...given, inResult, inMessage: [...new Set([...inMessage, ...IMAGES])] };
  const others = (types: readonly string[]) => types.filter((type) => !type.startsWith('image/'));
  return { ...given, inResult: others(inResult), inMessage: others(inMessage) };
}

/** How the provider is asked for its prompt cache; `undefined` if no row matches. */
export function cachingOf(model: ModelIdentity): ModelCaching | undefined {
  return firstMatch<ModelCaching>(model, [], CACHING);
}

/** Keys under which some provider is asked. */
const KNOWN_KEYS: ReadonlySet<string> = new Set(
  CACHING.flatMap(({ reads, marks, takesKey }) => (marks || takesKey ? reads : [])),
);

/** Whether options under a key of `providerOptions` may concern a request of this row. A key of no row may. */
export function isOptionOf({ reads }: ModelCaching, key: string): boolean {
  return reads.includes(key) || !KNOWN_KEYS.has(key);
}

/** What the model's endpoint accepts among declared tools; `undefined` if nothing is known to be refused. */
export function acceptedToolsOf(model: ModelIdentity): AcceptedTools | undefined {
  return firstMatch<AcceptedToolsRow>(model, [], ACCEPTED_TOOLS)?.accepts;
}

function firstMatch<Row extends { readonly provider: string; readonly model: string }>(
  model: ModelIdentity,
  own: readonly Row[],
  table: readonly Row[],
): Row | undefined {
  const texts = [model.provider.toLowerCase(), model.modelId.toLowerCase()];
  const rows = [...own, ...table];
  return rows[findMatch(rows.map(globsOf), texts)];
}

function globsOf({ provider, model }: { readonly provider: string; readonly model: string }) {
  return [provider.toLowerCase(), model.toLowerCase()];
}

/** Provider names of the AI SDK that differ from the names that people type. */
const SDK_PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic.messages'],
  ['openai', 'openai.responses'],
  ['moonshotai', 'moonshotai.chat'],
]);

/**
 * Converts a typed `provider/name` to the AI SDK's identity: `anthropic/claude-opus-5-5` becomes
 * `claude-opus-5-5` of `anthropic.messages`. Splits at the first slash. Throws `invalid-option` if
 * either part is missing.
 */
export function modelFromName(name: string): ModelIdentity {
  const { provider, modelId } = splitModelName(name);
  return { provider: SDK_PROVIDERS.get(provider) ?? provider, modelId };
}

/** Splits a typed `provider/name` without a conversion. Throws `invalid-option` if a part is missing. */
export function splitModelName(name: string): ModelIdentity {
  const slash = name.indexOf('/');
  const provider = name.slice(0, Math.max(0, slash));
  const modelId = name.slice(slash + 1);
  if (provider !== '' && modelId !== '') return { provider, modelId };
  throw new ToolfoldError(
    'invalid-option',
    `The model ${JSON.stringify(name)} lacks its provider or its name.`,
    'Write provider/name, such as anthropic/claude-opus-5-5.',
  );
}

/**
 * A model for which the AI SDK's provider does not enforce a tool choice by name beside other tools: it
 * sends the named tool alone, and the cached prefix is lost.
 */
export interface NarrowedChoice {
  /** Glob for the AI SDK's `provider`, without regard to case. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case. */
  readonly model: string;
  /** `always`, or only in requests in which the model thinks or writes JSON of a schema. */
  readonly narrows: 'always' | 'thinking or JSON';
  /** The source of the row: a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

const CLAUDE = {
  source: '@ai-sdk/anthropic 4.0.105, forcedToolUse and prepareTools in dist/index.js',
  date: '2026-11-23',
} as const;

/** The first matching row counts. Other models are asked for a tool by its name. */
export const NARROWED_CHOICES: readonly NarrowedChoice[] = [
  { ...CLAUDE, provider: '*', model: '*claude-sonnet-5-5*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-opus-5-5*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-fable-5-1*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-fable-5-2*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-*', narrows: 'thinking or JSON' },
  { ...CLAUDE, provider: '*anthropic*', model: '*', narrows: 'thinking or JSON' },
  {
    provider: 'cohere*',
    model: '*',
    narrows: 'always',
    source: '@ai-sdk/cohere 4.0.52, dist/index.js',
    date: '2026-11-23',
  },
];

/**
 * A model that refuses a message of the user behind the results of tools: its chat template, or the check of its
 * provider, wants an answer between them. Many of them refuse two messages of the user in a row as well.
 */
interface StrictTurns {
  /** Glob for the AI SDK's `provider`, without regard to case. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case. */
  readonly model: string;
  /** The source of the row: a URL. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** "Unexpected role 'user' after role 'tool'": behind `tool` only `assistant` and `tool` may come. vLLM checks so too. */
const CHECKED = {
  source:
    'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py',
  date: '2026-11-28',
} as const;

/** "conversation roles must alternate", without results and answers that call tools: then two users are in a row. */
const ALTERNATING = {
  source:
    'https://github.com/ggml-org/llama.cpp/blob/master/models/templates/mistralai-Mistral-Small-3.1-24B-Instruct-2503.jinja',
  date: '2026-11-28',
} as const;

/**
 * The first matching row counts. Other models take such a message, also Gemma 4, whose template checks no order
 * (llama.cpp `models/templates/gemma4.jinja`).
 */
export const STRICT_TURNS: readonly StrictTurns[] = [
  { ...CHECKED, provider: 'mistral*', model: '*' },
  // Those that Mistral serves, by any provider, and the local ones, whose templates say the same in other words.
  ...['codestral', 'pixtral', 'voxtral', 'mixtral'].map((name) => ({
    ...CHECKED,
    provider: '*',
    model: `*${name}*`,
  })),
  { ...ALTERNATING, provider: '*', model: '*mistral*' },
  // Devstral Small 2 on llama.cpp.
  {
    ...{ provider: '*', model: '*devstral*', date: '2026-11-28' },
    source: 'https://github.com/eclipse-theia/theia/issues/17104',
  },
  // Ministral 3 on llama.cpp.
  {
    ...{ provider: '*', model: '*ministral*', date: '2026-11-28' },
    source: 'https://github.com/magnitudedev/magnitude/issues/84',
  },
  { ...CHECKED, provider: '*', model: '*magistral*' },
  // Its own template knows no results at all; the one for tools leaves them out and wants the others to alternate.
  ...['gemma2', 'gemma-2', 'gemma3', 'gemma-3'].map((name) => ({
    ...{ provider: '*', model: `*${name}*`, date: '2026-11-28' },
    source: 'https://github.com/vllm-project/vllm/pull/17149',
  })),
];
