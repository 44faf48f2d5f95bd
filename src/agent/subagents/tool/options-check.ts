import { isAmount, isRecord, own } from '../../../tools/values/index.ts';
import { type OptionRule, objectOf, refuse, rule, wholeNumber } from '../../settings/index.ts';
import {
  MAX_DEPTH,
  MAX_RESULT_BYTES,
  MAX_TIMEOUT,
  MIN_RESULT_BYTES,
  NARROW,
  WIDE,
} from '../engine/index.ts';
import type { SubagentOptions } from './options.ts';

const anyFunction = rule('a function', (value) => typeof value === 'function');
const yesOrNo = rule('true or false', (value) => typeof value === 'boolean');
const texts = rule('a list of strings', isTexts);
const hook = rule(
  'a function or a list of functions',
  (value) =>
    typeof value === 'function' ||
    (Array.isArray(value) && value.every((item) => typeof item === 'function')),
);
const limits = objectOf({
  tokens: wholeNumber(1),
  cost: rule('a number above 0', (value) => isAmount(value) && value > 0),
});

const rules: { readonly [Key in keyof SubagentOptions]-?: OptionRule } = {
  roles: rule(
    'names of roles, at least one and each once, or nothing',
    (value) => isTexts(value) && value.length > 0 && new Set(value).size === value.length,
  ),
  wide: yesOrNo,
  warmCache: yesOrNo,
  concurrency: wholeNumber(1, NARROW.concurrency, `, or to ${WIDE.concurrency} with \`wide\``),
  timeout: wholeNumber(1, MAX_TIMEOUT),
  depth: wholeNumber(1, MAX_DEPTH),
  budget: (option, value) => {
    limits(option, value);
    if (own(value, 'tokens') === undefined && own(value, 'cost') === undefined)
      refuse(option, '`tokens` or `cost`, or both');
  },
  maxRounds: wholeNumber(1),
  instructions: rule('a text', (value) => typeof value === 'string' && value.trim() !== ''),
  hooks: objectOf({
    resolveToolCall: hook,
    beforeToolCall: hook,
    afterToolCall: hook,
    transformSystemPrompt: hook,
  }),
  withhold: texts,
  model: anyFunction,
  resultBytes: wholeNumber(MIN_RESULT_BYTES, MAX_RESULT_BYTES),
  engine: rule(
    'an object with a function `start`, or a function that makes one',
    (value) =>
      typeof value === 'function' || (isRecord(value) && typeof value.start === 'function'),
  ),
};

const narrow = objectOf(rules);
const wide = objectOf({ ...rules, concurrency: wholeNumber(1, WIDE.concurrency) });

/** Throws `invalid-option` for what is not as the type says, and for what no call could keep to. */
export function checkSubagentOptions(options: SubagentOptions): void {
  const check = own(options, 'wide') === true ? wide : narrow;
  check('subagents', options);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
