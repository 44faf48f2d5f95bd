import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { isFiniteAmount, isRecord, ownProperty } from '@toolfold/core/internal/values';
import { didYouMean } from '../quote.ts';
import * as z from '../schemas.ts';
import { subagentShape, withConcurrency } from './agents.ts';
import { type Path, problemIn, type SettingProblem, valueAt } from './problem.ts';
import { NAMED, settingsShape } from './settings.ts';
import { approvalShape, categories, categoryList } from './tools.ts';
import { name, objectOf, type Shape, text } from './values.ts';

/** Options of an agent that a configuration file can also set, and the options checked with them. */
interface CheckedAgentOptions {
  readonly role?: unknown;
  readonly instructions?: unknown;
  readonly roles?: unknown;
  readonly routing?: unknown;
  readonly maxRounds?: unknown;
  readonly maxRequests?: unknown;
  readonly maxTokens?: unknown;
  readonly models?: unknown;
  readonly approvals?: unknown;
  readonly categories?: unknown;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const anyFunction: z.ZodMiniType<unknown> = z.custom(isFunction, 'a function');
const hook: z.ZodMiniType<unknown> = z.custom(
  (value) => isFunction(value) || (Array.isArray(value) && value.every(isFunction)),
  'a function or a list of functions',
);

const { roles, routing, maxRounds, maxRequests, maxTokens, models } = settingsShape;
const agentShape: Shape<CheckedAgentOptions> = {
  role: name,
  instructions: text,
  roles,
  routing,
  maxRounds,
  maxRequests,
  maxTokens,
  models,
  approvals: objectOf<object>({ ...approvalShape, ask: anyFunction, onAlways: anyFunction }),
  categories: z.union([categoryList, categories], 'a list of categories, or an object of them'),
};
const agentSettings = objectOf<CheckedAgentOptions>(agentShape);

const hooks = objectOf<object>({
  resolveToolCall: hook,
  beforeToolCall: hook,
  afterToolCall: hook,
  transformSystemPrompt: hook,
  timeoutMs: z.custom(
    (value) => isFiniteAmount(value) && value > 0,
    'a number of milliseconds above 0',
  ),
});

const subagentOptions = withConcurrency(
  objectOf<object>({
    ...subagentShape,
    hooks,
    model: anyFunction,
    engine: z.custom(
      (value) => isFunction(value) || (isRecord(value) && isFunction(value.start)),
      'an object with a function `start`, or a function that makes one',
    ),
  }),
);

/** Throws `invalid-option` for the first option that does not match its type. */
export function checkAgentSettings(options: CheckedAgentOptions): void {
  checkOption([], agentSettings, options);
}

/** Throws `invalid-option` for hooks that are not functions or lists of functions. */
export function checkHooks(option: string, value: unknown): void {
  checkOption([option], hooks, value);
}

/** Throws `invalid-option` for the first option that does not match its type or is out of range. */
export function checkSubagentOptions(options: unknown): void {
  checkOption(['subagents'], subagentOptions, options);
}

function checkOption(above: Path, schema: z.ZodMiniType, value: unknown): void {
  const { problem } = checkNamed(schema, value);
  if (problem) throw errorOf({ ...problem, path: [...above, ...problem.path] });
}

/** The error for an option. It does not show the value, which may be secret. */
function errorOf({ path, kind, expected, near }: SettingProblem): ToolfoldError {
  const option = optionName(path);
  if (kind !== 'key') return invalidOption(option, expected);
  return new ToolfoldError(
    'invalid-option',
    `There is no option "${option}".`,
    didYouMean(near, `The keys of "${optionName(path.slice(0, -1))}" are ${expected}.`),
  );
}

/** `models.gpt-5.price`, `approvals.allow[0]`. */
function optionName(path: Path): string {
  const parts = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return parts.join('').replace(/^\./, '');
}

/** A value that was checked, or the first thing that is wrong with it. */
type Checked<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: SettingProblem };

/** Checks a value against a schema. Never throws. */
function check<T>(schema: z.ZodMiniType<T>, value: unknown): Checked<T> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { value: parsed.data }
    : { problem: problemIn(parsed.error.issues, value) };
}

/**
 * Like `check`, for an object of settings. Refuses the name `__proto__`: the parser would drop the
 * settings under it.
 */
export function checkNamed<T>(schema: z.ZodMiniType<T>, value: unknown): Checked<T> {
  const allow = ownProperty(ownProperty(value, 'approvals'), 'allow');
  const places: Path[] = [
    ...NAMED.map((key) => [key]),
    ...(Array.isArray(allow) ? allow : []).map((_, at) => ['approvals', 'allow', at, 'arguments']),
  ];
  const lost = places.find((path) => ownProperty(valueAt(value, path), '__proto__') !== undefined);
  return lost === undefined
    ? check(schema, value)
    : { problem: reservedKeyProblem([...lost, '__proto__']) };
}

function reservedKeyProblem(path: Path): SettingProblem {
  return { path, kind: 'name', expected: 'another name', near: undefined };
}
