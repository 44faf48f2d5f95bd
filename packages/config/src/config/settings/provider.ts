import * as z from '../schemas/index.ts';
import { objectOf } from './shapes.ts';
import { oneOf } from './values.ts';

/** How a provider is spoken to. */
export type ProviderProtocol = 'openai-compatible' | 'openai' | 'anthropic';

/** A provider of models. */
export interface ProviderSettings {
  /** The URL of its endpoint, such as `https://llm.example.com/v1`. */
  readonly address: string;
  /** The variable with its key. Default: its name in capitals with `_API_KEY`. */
  readonly key?: string | undefined;
  /** `openai-compatible` if left out. */
  readonly protocol?: ProviderProtocol | undefined;
}

const protocols: readonly ProviderProtocol[] = ['openai-compatible', 'openai', 'anthropic'];

const ADDRESS =
  'a URL that begins with https:// or http://, without a user, a query and a fragment';
const VARIABLE = 'the name of a variable of the environment, and not the key itself';

/** Secrets belong into a variable. */
const address = z
  .string(ADDRESS)
  .check(z.regex(/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#@\\]*)?$/, ADDRESS));

export const provider: z.ZodMiniType<ProviderSettings> = objectOf<ProviderSettings>(
  {
    address: address.with(
      z.describe('The URL of its endpoint, such as https://llm.example.com/v1.'),
    ),
    key: z
      .string(VARIABLE)
      .check(z.regex(/^[A-Z_][A-Z0-9_]*$/, VARIABLE))
      .with(z.describe('The variable with its key. Default: its name in capitals with _API_KEY.')),
    protocol: oneOf(protocols).with(z.describe('How it is spoken to. Default: openai-compatible.')),
  },
  ['address'],
);
