import { ToolfoldError } from '../../errors.ts';
import { estimateTokens } from '../../tools/tokens/index.ts';
import type { TokenCounter } from '../../tools/tool/index.ts';
import { installLine } from './optional-packages.ts';

/** A counter and its name in reports. */
export interface NamedCounter {
  readonly name: string;
  readonly count: TokenCounter;
}

/**
 * The built-in estimate, or the exact o200k_base counter of the optional package gpt-tokenizer.
 * Throws `missing-dependency` if `exact` is set and the package is not installed.
 */
export async function chooseCounter(exact: boolean): Promise<NamedCounter> {
  if (!exact) return { name: 'estimate', count: estimateTokens };
  try {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    // Text that looks like a special token is counted as plain text.
    const options = { disallowedSpecial: new Set<string>() };
    return { name: 'o200k_base', count: (text) => countTokens(text, options) };
  } catch (error) {
    throw new ToolfoldError(
      'missing-dependency',
      '--exact needs the package gpt-tokenizer.',
      `Install it (${installLine('gpt-tokenizer')}), or leave --exact out.`,
      error,
    );
  }
}
