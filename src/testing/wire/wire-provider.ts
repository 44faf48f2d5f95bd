import type { WireProvider } from './recorded-request.ts';

/** The ends of the paths that models are asked at. */
const PATHS: readonly (readonly [end: string, provider: WireProvider])[] = [
  ['/messages', 'anthropic'],
  ['/responses', 'openai-responses'],
  ['/chat/completions', 'openai-chat'],
];

/**
 * The format of a request to a model, by its address (a URL or a path, whatever the host) and, of
 * Anthropic's models on other clouds, by its body. `undefined` for any other request.
 */
export function wireProviderOf(
  url: string,
  body: Readonly<Record<string, unknown>>,
): WireProvider | undefined {
  const path = URL.parse(url, 'http://localhost')?.pathname.replace(/\/+$/, '') ?? '';
  const provider = PATHS.find(([end]) => path.endsWith(end))?.[1];
  return provider ?? (typeof body.anthropic_version === 'string' ? 'anthropic' : undefined);
}
