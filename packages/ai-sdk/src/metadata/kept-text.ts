import { KEY } from '@toolfold/core/internal/host';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import type {
  LanguageModelV4Content,
  LanguageModelV4CustomContent,
  SharedV4ProviderOptions,
} from '../protocol/index.ts';

type Text = Extract<LanguageModelV4Content, { type: 'text' }>;

/** The kind of the custom content part that carries a text which is not part of the answer's text. */
const TEXT_KIND = 'toolfold.text';

/** The text as a part that messages keep and the SDK does not count as text. */
export function keptText({ text, providerMetadata }: Text): LanguageModelV4CustomContent {
  const metadata = { ...providerMetadata, [KEY]: { text } };
  return { type: 'custom', kind: TEXT_KIND, providerMetadata: metadata };
}

interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly providerOptions?: SharedV4ProviderOptions;
}

/** The text part that was kept as this part, as requests contain it; undefined for every other part. */
export function readKeptText(part: {
  readonly type: string;
  readonly kind?: string;
  readonly providerOptions?: SharedV4ProviderOptions | undefined;
}): TextPart | undefined {
  if (part.type !== 'custom' || part.kind !== TEXT_KIND) return;
  const { [KEY]: own, ...options } = part.providerOptions ?? {};
  const text = ownProperty(own, 'text');
  if (typeof text !== 'string') return;
  const more = Object.keys(options).length > 0 ? { providerOptions: options } : {};
  return { type: 'text', text, ...more };
}
