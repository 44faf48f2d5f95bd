import { onceEach } from '../../tools/values/index.ts';

/** What each kind of hook may return, and what an answer of another form causes. */
const RULES = {
  beforeToolCall: {
    is: 'no verdict: the call was denied',
    remedy: 'Return undefined, or a plain object with `arguments`, `deny`, `ask` or `askKey`.',
  },
  afterToolCall: {
    is: 'no outcome: the result was withheld',
    remedy: 'Return undefined, or a plain object with either `output` or `error`.',
  },
  resolveToolCall: {
    is: 'no name: the call was denied',
    remedy: 'Return undefined or a string. This hook cannot be asynchronous.',
  },
} as const;

export type HookName = keyof typeof RULES;

/** Warns the developer of answers of hooks that cannot be accepted, once for each kind of answer. */
export class OddAnswers {
  readonly #once: (key: string, text: string) => void;

  constructor(warn: (text: string) => void) {
    this.#once = onceEach(warn);
  }

  /** `label` names the hook in a list of hooks; `what` describes the answer without its values. */
  warn(name: HookName, label: string, what: string): void {
    const { is, remedy } = RULES[name];
    const text = `\`${label}\` returned ${what}, which is ${is}. ${remedy}`;
    this.#once(text, text);
  }
}
