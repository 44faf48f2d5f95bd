import type { ModelMessage } from 'ai';
import type { TurnEnd } from './host.ts';
import type { Sent } from './prefix.ts';
import type { WireRefusal } from './watch.ts';
import type { Run } from './world.ts';

/** Everything that is known of a turn once it is over. */
export interface TurnRecord {
  readonly end: TurnEnd;
  /** Something that was planned has broken the turn: an error, a cancel, a reader who left. */
  readonly isDisturbed: boolean;
  /** The requests of the turn, behind the one they have to extend, where there is one. */
  readonly sent: readonly Sent[];
  readonly isNew: (sent: Sent) => boolean;
  /** Whether the strategy keeps the prefix. */
  readonly keepsPrefix: boolean;
  readonly before: readonly ModelMessage[];
  readonly after: readonly ModelMessage[];
  /** Calls that wait for the user. */
  readonly waiting: ReadonlySet<string>;
  readonly runs: readonly Run[];
  /** What still runs, of this turn or an earlier one. */
  readonly running: readonly Run[];
  readonly refusals: readonly WireRefusal[];
  readonly offences: readonly string[];
  readonly rejections: readonly unknown[];
  /** Texts of the user's. */
  readonly said: ReadonlySet<string>;
}
