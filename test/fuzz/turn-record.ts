import type { ModelMessage } from 'ai';
import type { TurnEnd } from './host.ts';
import type { Sent } from './prefix.ts';
import type { WireRefusal } from './watch.ts';
import type { Run } from './world.ts';

/** Everything that is known about a turn after its end. */
export interface TurnRecord {
  readonly end: TurnEnd;
  /** A planned event interrupted the turn: an error, a cancellation, a reader that left. */
  readonly isDisturbed: boolean;
  /** The requests of the turn, preceded by the request that they must extend, if any. */
  readonly sent: readonly Sent[];
  readonly isNew: (sent: Sent) => boolean;
  /** Whether the strategy keeps the prefix. */
  readonly keepsPrefix: boolean;
  readonly before: readonly ModelMessage[];
  readonly after: readonly ModelMessage[];
  /** Calls that wait for the user. */
  readonly waiting: ReadonlySet<string>;
  readonly runs: readonly Run[];
  /** Tools of this turn or an earlier one that still run. */
  readonly running: readonly Run[];
  readonly refusals: readonly WireRefusal[];
  readonly offences: readonly string[];
  readonly rejections: readonly unknown[];
  /** Texts that the user wrote. */
  readonly userTexts: ReadonlySet<string>;
}
