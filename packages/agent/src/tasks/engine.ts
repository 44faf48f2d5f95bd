import type { Ceiling } from '@toolfold/ai-sdk';
import type { SubagentBudget } from '@toolfold/config/internal/settings';
import type { ElicitationAnswer } from '@toolfold/core/internal/tool';
import type {
  AgentEvent,
  ApprovalAnswer,
  AskedBy,
  Elicitation,
  SubagentStatus,
} from '../events/index.ts';

/** The name of the tool, also in roles and globs. */
export const SUBAGENTS = 'subagents';

/** Default bytes of JSON for all results of a call. */
export const RESULT_BYTES = 60_000;

/** Answer formats of a child: `structured` is a JSON object, `concise` a few sentences, `detailed` a report. */
export const FORMATS = ['structured', 'concise', 'detailed'] as const;

export type AnswerFormat = (typeof FORMATS)[number];

/** One task for one child. Plain data, so that it can be sent to a queue or another process. */
export interface SubagentTask {
  /** Name of the child, unique among all children of the same agent. */
  readonly child: string;
  /** The task id that the parent's model chose. */
  readonly id: string;
  readonly task: string;
  readonly context?: string;
  /** Given to every task of the batch. */
  readonly sharedContext?: string;
  readonly format: AnswerFormat;
  readonly role?: string;
  /** Globs of tools that the child does not get, even if its role allows them. */
  readonly without: readonly string[];
  /** The tools that its parent may use at the moment of the call. */
  readonly ceiling: Ceiling;
  /** Time limit in milliseconds. The time of waiting for approvals does not count. */
  readonly timeout: number;
  /** Levels of children below this child; 0 for none. */
  readonly depth: number;
  /** Budget of the child and its own children. When it is used up, no more of them start. */
  readonly budget?: SubagentBudget;
}

/** Result of a task. Plain data. */
export interface SubagentResult {
  readonly child: string;
  readonly id: string;
  readonly status: SubagentStatus;
  /** The child's answer; partial if the child did not finish, empty if there is none. */
  readonly text: string;
  /** One sentence why the status is not `done`. */
  readonly error?: string;
}

/** How a task ended, without the names of child and task. */
export type Ending = Pick<SubagentResult, 'status' | 'text' | 'error'>;

/** A call of a child that needs the user's approval, or whose server asks the user. Without `askedBy`, a hook asks. */
export interface SubagentQuestion extends Partial<AskedBy> {
  /** Unique among the questions of the child. */
  readonly id: string;
  /** The task id of the asking grandchild, if the child itself does not ask. */
  readonly asker?: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason?: string;
  /** What a server asks of the user, if it is not an approval that is asked for. */
  readonly elicitation?: Elicitation;
}

/** The user's answer to a child's question. */
export interface SubagentAnswer extends Pick<ApprovalAnswer, 'approved' | 'reason'> {
  /** The answer to an elicitation. Left out, it is declined. */
  readonly elicitation?: ElicitationAnswer;
}

/** An update from an engine while it works. Plain data. */
export type EngineUpdate =
  | { readonly type: 'progress'; readonly child: string; readonly event: AgentEvent }
  | {
      readonly type: 'question';
      readonly child: string;
      readonly question: SubagentQuestion;
    }
  /** Sent once for each task, started or not. */
  | { readonly type: 'result'; readonly result: SubagentResult };

/** Receives the updates of an engine. Never throws. */
export type OnUpdate = (update: EngineUpdate) => void;

/** A command for an engine while it works. Plain data. */
export type EngineCommand =
  /** Cancels one child, or all of them, whether running or waiting. */
  | { readonly type: 'cancel'; readonly child?: string }
  /** Starts no more tasks. Running children continue, but start no more children of their own. */
  | { readonly type: 'stop'; readonly reason: string }
  | {
      readonly type: 'answer';
      readonly child: string;
      readonly question: string;
      readonly answer: SubagentAnswer;
    };

/** Tasks of one call. */
export interface Batch {
  readonly tasks: readonly SubagentTask[];
  /** How many tasks run at once. */
  readonly concurrency: number;
  /** One task of each role starts first; the others start when its model has begun to answer. */
  readonly warmCache?: boolean;
}

/** A running batch. */
export interface BatchRun {
  /** Sends a command. Commands for ended or unknown children do nothing. Never throws. */
  send(command: EngineCommand): void;
  /**
   * Resolves when every task has its result and nothing of the batch is running, except work that
   * ignored its signal and was given up. Rejects if the engine itself has failed; tasks without a
   * result then get none.
   */
  readonly finished: Promise<void>;
}

/**
 * Runs children. Input and output are plain data, so that a queue with workers elsewhere can replace
 * this process. A task gets its result after its `timeout` plus a short time to stop, whatever the
 * child does. If several agents share an engine, their children may have the same names.
 */
export interface Engine {
  /** Starts a batch. Calls `onUpdate` in the order of the events, and before `finished` settles. */
  start(batch: Batch, onUpdate: OnUpdate): BatchRun;
}

/** Signals and callbacks of a running task. */
export interface WorkOptions {
  /** Fires when the child is cancelled or its time limit is reached. */
  readonly signal: AbortSignal;
  /** Fires when the child may start no more children of its own. Its reason is a text for the model. */
  readonly stop: AbortSignal;
  /** Emits an event of the child. */
  readonly tell: (event: AgentEvent) => void;
  /** Asks the parent's user. Rejects when the signal fires. */
  readonly ask: (question: SubagentQuestion) => Promise<SubagentAnswer>;
}

/** How the child's own work ended. The engine adds `timed_out` and `cancelled`. */
export type WorkResult = Ending & { readonly status: 'done' | 'incomplete' | 'failed' };

/**
 * Runs one task. Settles only when nothing of the task is running any more, and soon after the signal
 * fires. An error that it throws makes the task `failed`.
 */
export type Work = (task: SubagentTask, options: WorkOptions) => Promise<WorkResult>;
