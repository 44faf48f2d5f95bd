import type { Ceiling } from '../../ai-sdk/index.ts';

/** Where an agent stands that works for another one. */
export interface Lineage {
  /** As its parent calls it. */
  readonly child: string;
  /** What its parent may use. */
  readonly ceiling: Ceiling;
  /** Globs of what it does not have, whatever its role. */
  readonly without: readonly string[];
  /** Levels of subagents that it may have itself. */
  readonly depth: number;
  /** What it is asked, without the frame around it: what words find, these find. */
  readonly task: string;
  /** Fires when it is to send no more of them; the reason says why. */
  readonly stop: AbortSignal;
  /** Told how long its answer under way has become, in characters. */
  readonly wrote: (characters: number) => void;
}
