import { estimateTokens } from '@toolfold/core/internal/tools/tokens';
import type { TokenCounter } from '@toolfold/core/internal/tools/tool';
import { importOptional } from './optional-packages.ts';

/**
 * The built-in estimate, or the exact o200k_base counter of the optional package gpt-tokenizer, with its name in
 * reports. Throws `missing-dependency` if `exact` is set and the package is not installed.
 */
export async function chooseCounter(
  exact: boolean,
): Promise<{ readonly name: string; readonly count: TokenCounter }> {
  if (!exact) return { name: 'estimate', count: estimateTokens };
  const load = () => import('gpt-tokenizer/encoding/o200k_base');
  const { countTokens } = await importOptional('gpt-tokenizer', '--exact', load);
  // Text that looks like a special token is counted as plain text.
  const options = { disallowedSpecial: new Set<string>() };
  return { name: 'o200k_base', count: (text) => countTokens(text, options) };
}
