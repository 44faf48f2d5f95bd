import { plainLine, visibleText } from '@toolfold/core/internal/tools/values';
import { redact } from '../secrets/index.ts';

/** Makes texts of one server safe to show: without secrets of its entry, cut, nothing invisible. */
export interface Texts {
  readonly line: (text: string, limit: number) => string;
  readonly lines: (text: string, limit: number) => string;
}

/** Maximum characters of a text that is searched for secrets. */
const MAX_SEARCHED = 400_000;

export function textsOf(secrets: readonly string[]): Texts {
  // Secrets are removed before the cut, which could leave a part of one.
  const hide = (text: string): string => redact(text.slice(0, MAX_SEARCHED), secrets);
  return {
    line: (text, limit) => plainLine(hide(text), limit),
    lines: (text, limit) => visibleText(hide(text), limit),
  };
}
