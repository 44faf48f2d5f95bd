/** Every kind of error that a host can cause. The set is closed: match on it exhaustively. */
export type ToolfoldErrorCode =
  | 'duplicate-group'
  | 'duplicate-tool'
  | 'reserved-name'
  | 'invalid-option'
  | 'invalid-schema'
  | 'invalid-config'
  | 'not-trusted'
  | 'unknown-role'
  | 'empty-role'
  | 'strategy-mismatch'
  | 'loader-failed'
  | 'unknown-tool'
  | 'tool-not-active'
  | 'invalid-call'
  | 'call-denied'
  | 'approval-needed'
  | 'connection-failed'
  | 'model-refused'
  | 'session-busy'
  | 'session-lost'
  | 'session-unknown'
  | 'session-damaged'
  | 'session-newer'
  | 'session-unavailable'
  | 'missing-dependency';

/** Every copy of the class, in every copy of the package, has the same symbol. */
const MARK = Symbol.for('toolfold.error');

/**
 * The one error class that is thrown to hosts. What a *model* can correct is never thrown: it is
 * returned as an answer. `hint` says in one sentence what to do. `instanceof` looks for a symbol, so that it
 * is true also for errors of another copy of the package.
 */
export class ToolfoldError extends Error {
  static override [Symbol.hasInstance](this: unknown, value: unknown): boolean {
    const isOne = typeof value === 'object' && value !== null && MARK in value;
    // biome-ignore lint/complexity/noThisInStatic: a subclass of an app has only its own errors.
    return isOne && (this === ToolfoldError || inherits(value, this));
  }

  override readonly name = 'ToolfoldError';
  readonly code: ToolfoldErrorCode;
  readonly hint: string;

  constructor(code: ToolfoldErrorCode, message: string, hint: string, cause?: unknown) {
    super(`${message} ${hint}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    Object.defineProperty(this, MARK, { value: true });
  }
}

function inherits(value: object, subclass: unknown): boolean {
  const prototype: unknown = Object(subclass).prototype;
  return Object.prototype.isPrototypeOf.call(Object(prototype), value);
}

/** The error for an invalid option. It does not show the value, which may be secret. */
export function invalidOption(option: string, expected: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The option "${option}" has a value it cannot have.`,
    `Expected: ${expected}.`,
  );
}

/** The error for a server that cannot be used, or a call that failed with it. */
export function connectionFailed(message: string, hint: string): ToolfoldError {
  return new ToolfoldError('connection-failed', message, hint);
}

/** The message of anything thrown, for people: never a stack, never `[object Object]`. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'string') return error;
  try {
    return error instanceof Error
      ? String(error.message)
      : (JSON.stringify(error) ?? String(error));
  } catch {
    // Circular, a bigint, a getter that throws.
    return typeof error === 'bigint' ? String(error) : 'An error that cannot be read.';
  }
}
