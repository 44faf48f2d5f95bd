import type { WireProvider } from './recorded-request.ts';

/** The ends of the paths that models are asked at. */
const PATHS: readonly (readonly [end: string, provider: WireProvider])[] = [
  ['/messages', 'anthropic'],
  ['/responses', 'openai-responses'],
  ['/chat/completions', 'openai-chat'],
];

/** The ends of other paths whose requests have messages or input as well. */
const OTHER_PATHS =
  /\/(count_tokens|input_tokens|compact|embeddings|moderations|audio\/speech|converse(-stream)?)$/;

/**
 * The format of a request to a model, by its address (a URL or a path, whatever the host) and, of
 * Anthropic's models on other clouds, by its body. `undefined` for any other request.
 */
export function wireProviderOf(
  url: string,
  body: Readonly<Record<string, unknown>>,
): WireProvider | undefined {
  const path = pathOf(url);
  const provider = PATHS.find(([end]) => path.endsWith(end))?.[1];
  return provider ?? (typeof body.anthropic_version === 'string' ? 'anthropic' : undefined);
}

/**
 * The path of an address whose requests ask for something else than an answer, such as embeddings.
 * `undefined` for any other address. Without the query, which may hold a key.
 */
export function otherEndpointOf(url: string): string | undefined {
  const path = pathOf(url);
  return OTHER_PATHS.test(path) ? path : undefined;
}

function pathOf(url: string): string {
  return URL.parse(url, 'http://localhost')?.pathname.replace(/\/+$/, '') ?? '';
}
