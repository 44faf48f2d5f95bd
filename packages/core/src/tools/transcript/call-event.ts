/** One event for every call, whether anything ran or not. */
export interface CallEvent {
  readonly id: string;
  /** The real tool's name where the call reached one, else the name used. */
  readonly name: string;
  readonly wireName: string;
  readonly outcome: 'run' | 'answered' | 'refused';
  readonly error?: string;
  /** What was repaired in the arguments of a call that runs. */
  readonly repairs?: readonly string[];
  /** What was thrown, where that is why: a loader's error. */
  readonly cause?: unknown;
}
