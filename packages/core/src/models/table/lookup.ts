import { ToolfoldError } from '../../errors.ts';
import { findMatch } from '../../tools/registry/globs/index.ts';
import type { AcceptedTools } from '../../tools/strategies/index.ts';
import { ACCEPTED_TOOLS, type AcceptedToolsRow } from './accepted-tools.ts';
import { CACHING, type ModelCaching } from './caching.ts';
import { CAPABILITIES, type ModelCapability, type NativeForm } from './capabilities.ts';
import { NARROWED_CHOICES, type NarrowedChoice } from './named-choice.ts';
import { type ModelPrices, PRICES } from './prices.ts';
import { IMAGES, RESULT_FILES, type ResultFiles } from './result-files.ts';
import { STRICT_TURNS, type StrictTurns } from './user-behind-results.ts';

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

const KNOWN_KEYS: ReadonlySet<string> = new Set(CACHING.flatMap(({ reads }) => reads));

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
