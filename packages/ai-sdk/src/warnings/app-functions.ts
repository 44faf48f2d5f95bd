import { errorMessage, invalidOption } from '@toolfold/core/internal/errors.ts';
import type { TokenCounter } from '@toolfold/core/internal/tools/tool';

type Observer<ARGUMENTS extends readonly unknown[]> = (...args: ARGUMENTS) => void;

/**
 * The app's observer, which can end neither a request nor the process: `report` gets a text for the
 * developer if the observer throws, or if its promise rejects. Undefined if there is no observer.
 */
export function harmless<ARGUMENTS extends readonly unknown[]>(
  name: string,
  observer: Observer<ARGUMENTS> | undefined,
  report: (key: string, text: string) => void,
): Observer<ARGUMENTS> | undefined {
  if (typeof observer !== 'function') return observer;
  const failed = (error: unknown): void =>
    report(
      name,
      `\`${name}\` failed: ${errorMessage(error)}. The request went on. Catch errors inside \`${name}\`; later failures of it are not reported.`,
    );
  return (...args) => {
    try {
      // The type also accepts functions that return a promise.
      Promise.resolve(observer(...args)).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

/** One wrapper for each counter, because sizes are remembered by counter. */
const checked = new WeakMap<TokenCounter, TokenCounter>();

/** The app's counter, which throws `invalid-option` if it returns no finite number. */
export function checkedCounter(counter: TokenCounter | undefined): TokenCounter | undefined {
  if (typeof counter !== 'function') return counter;
  const known = checked.get(counter);
  if (known) return known;
  const check: TokenCounter = (text) => {
    const tokens: unknown = counter(text);
    if (typeof tokens === 'number' && Number.isFinite(tokens)) return tokens;
    Promise.resolve(tokens).catch(() => {});
    throw invalidOption(
      'countTokens',
      'a function that returns a finite number of tokens at once, not a promise',
    );
  };
  checked.set(counter, check);
  return check;
}
