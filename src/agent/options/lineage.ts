import type { Ceiling } from '../../ai-sdk/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';
import type { RemoteAnswers } from '../inbox/index.ts';

/** The relation of a subagent to its parent. */
export interface Lineage {
  /** The id that the parent uses for this subagent. */
  readonly child: string;
  /** The user of the parent, if the child works in the same process. */
  readonly user?: object | undefined;
  /** Answers of other processes to the parent's approvals, if the child works in the same process. */
  readonly remoteAnswers?: RemoteAnswers<ApprovalAnswer> | undefined;
  /** The tools that the parent may use. */
  readonly ceiling: Ceiling;
  /** Globs of tools that it never has, whatever its role. */
  readonly without: readonly string[];
  /** The number of levels of subagents that it may have. */
  readonly depth: number;
  /** The text of the task without the text around it. Keyword routing uses it. */
  readonly task: string;
  /** Fires when the subagent must send no more requests. Its reason says why. */
  readonly stop: AbortSignal;
  /** Called with the current length of the answer being written, in characters. */
  readonly onLength: (characters: number) => void;
}
