import { ToolfoldError } from '../../errors.ts';
import { matches } from '../../tools/access/index.ts';
import { CAPABILITIES, type ModelCapability, type NativeForm } from './capabilities.ts';
import { type ModelPrices, PRICES } from './prices.ts';

/** A model as the AI SDK names it; every language model of the SDK is one. */
export interface ModelIdentity {
  readonly provider: string;
  readonly modelId: string;
}

/** A row of the app's own: nobody asks for its source. */
export type OwnCapability = Omit<ModelCapability, 'source' | 'date'>;
export type OwnPrices = Omit<ModelPrices, 'source' | 'date'>;

/**
 * The forms in which the model takes tools in mid-conversation, best first; none where no row
 * matches. `own` rows are tried before the table's.
 */
export function nativeFormsOf(
  model: ModelIdentity,
  own: readonly OwnCapability[] = [],
): readonly NativeForm[] {
  return firstMatch<OwnCapability>(model, own, CAPABILITIES)?.forms ?? [];
}

/** The model's cache prices, `undefined` where no row matches; `own` rows are tried first. */
export function pricesOf<Own extends OwnPrices = ModelPrices>(
  model: ModelIdentity,
  own: readonly Own[] = [],
): Own | ModelPrices | undefined {
  return firstMatch<Own | ModelPrices>(model, own, PRICES);
}

function firstMatch<Row extends { readonly provider: string; readonly model: string }>(
  model: ModelIdentity,
  own: readonly Row[],
  table: readonly Row[],
): Row | undefined {
  const provider = model.provider.toLowerCase();
  const modelId = model.modelId.toLowerCase();
  const isMatch = (row: Row) =>
    matches(row.provider.toLowerCase(), provider) && matches(row.model.toLowerCase(), modelId);
  return own.find(isMatch) ?? table.find(isMatch);
}

/** What the AI SDK's providers call themselves, where it is not what people type. */
const SDK_PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic.messages'],
  ['openai', 'openai.responses'],
  ['moonshotai', 'moonshotai.chat'],
]);

/**
 * A typed `provider/name` as the AI SDK calls the model: `anthropic/claude-opus-5-5` is
 * `claude-opus-5-5` of `anthropic.messages`. Only the first slash divides. Throws `invalid-option`
 * where either part is missing.
 */
export function modelFromName(name: string): ModelIdentity {
  const { provider, modelId } = splitModelName(name);
  return { provider: SDK_PROVIDERS.get(provider) ?? provider, modelId };
}

/** The two parts of a typed `provider/name`, as typed. Throws `invalid-option` where one is missing. */
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
