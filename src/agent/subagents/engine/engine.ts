import type { Ceiling } from '../../../ai-sdk/index.ts';
import type { AgentEvent, SubagentStatus } from '../../events/index.ts';

/** How a child is to answer: named fields of JSON, a few sentences, or a report. */
export const FORMATS = ['structured', 'concise', 'detailed'] as const;

export type AnswerFormat = (typeof FORMATS)[number];

/** One task for one child: plain data, fit for a queue and another process. */
export interface SubagentTask {
  /** No other child of the same agent has it. */
  readonly child: string;
  /** What the parent's model calls the task. */
  readonly id: string;
  readonly task: string;
  readonly context?: string;
  /** Given to every task of the batch. */
  readonly sharedContext?: string;
  readonly format: AnswerFormat;
  readonly role?: string;
  /** Globs of what it does not have, whatever its role. */
  readonly without: readonly string[];
  /** What its parent may use, at the moment of the call. */
  readonly ceiling: Ceiling;
  /** Milliseconds it may work; while an approval is awaited the clock stands still. */
  readonly timeout: number;
  /** Levels of children that it may have below it; 0 for none. */
  readonly depth: number;
  /** What it may spend with its own children, before none of them begin any more. */
  readonly budget?: SubagentBudget;
}

/** What children may spend, those of children too; nothing begins once either is reached. */
export interface SubagentBudget {
  /** Input and output: as the provider counts them, or by our own count where it does not. */
  readonly tokens?: number | undefined;
  /** Money, in the unit that prices are given in. */
  readonly cost?: number | undefined;
}

/** What became of a task: plain data. */
export interface SubagentResult {
  readonly child: string;
  readonly id: string;
  readonly status: SubagentStatus;
  /** What it has said, where it has; of a child that did not finish, as far as it came. */
  readonly text: string;
  /** Why it is not `done`, in a sentence. */
  readonly error?: string;
}

/** How a task ended, whichever it is. */
export type Ending = Pick<SubagentResult, 'status' | 'text' | 'error'>;

/** A call of a child's that wants the user's word. */
export interface SubagentQuestion {
  /** Unlike any other question of the child's. */
  readonly id: string;
  /** The task of the child's own child that asks, where it is not the child itself. */
  readonly asker?: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason?: string;
}

/** The user's word on a child's question. */
export interface SubagentAnswer {
  readonly approved: boolean;
  readonly reason?: string;
}

/** What an engine tells while it works: plain data. */
export type EngineUpdate =
  | { readonly type: 'progress'; readonly child: string; readonly event: AgentEvent }
  | {
      readonly type: 'question';
      readonly child: string;
      readonly question: SubagentQuestion;
    }
  /** Once for each task, started or not. */
  | { readonly type: 'result'; readonly result: SubagentResult };

/** Takes in what an engine tells; never throws. */
export type OnUpdate = (update: EngineUpdate) => void;

/** What an engine can be told while it works: plain data. */
export type EngineCommand =
  /** Ends one child, or all of them, and starts none of those that wait. */
  | { readonly type: 'cancel'; readonly child?: string }
  /** Starts no more, those that work go on; they, too, send no more children of their own. */
  | { readonly type: 'stop'; readonly reason: string }
  | {
      readonly type: 'answer';
      readonly child: string;
      readonly question: string;
      readonly answer: SubagentAnswer;
    };

/** Tasks that are started together. */
export interface Batch {
  readonly tasks: readonly SubagentTask[];
  /** How many of them work at once. */
  readonly concurrency: number;
  /** Of each role one begins ahead, and the others when its model has begun to answer. */
  readonly warmCache?: boolean;
}

/** A batch under way. */
export interface BatchRun {
  /** For children that are over, or unknown, it does nothing. Never throws. */
  send(command: EngineCommand): void;
  /**
   * Resolves when every task has its result and nothing of the batch runs any more, but what heeded
   * no signal and has been given up; rejects where the engine itself has failed, and what has no
   * result by then gets none.
   */
  readonly finished: Promise<void>;
}

/**
 * Where children work. What goes in and comes out is plain data, so that a queue with workers
 * elsewhere can stand in for this process. A task may take its `timeout`, and a little more to stop
 * in; then it has its result, whatever the child does. Where several agents share an engine, their
 * children may have the same names.
 */
export interface Engine {
  /** `onUpdate` is told in the order in which things happen, before `finished` settles. */
  start(batch: Batch, onUpdate: OnUpdate): BatchRun;
}

/** What a child is given beside its task. */
export interface WorkOptions {
  /** Fires when the child is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** Fires when it is to send no more children of its own; the reason is a text that says why. */
  readonly stop: AbortSignal;
  readonly tell: (event: AgentEvent) => void;
  /** Rejects when the signal fires. */
  readonly ask: (question: SubagentQuestion) => Promise<SubagentAnswer>;
}

/** What a child came to by itself; time and cancellation are the engine's to tell. */
export type WorkResult = Ending & { readonly status: 'done' | 'incomplete' | 'failed' };

/**
 * Does one task, and settles only when nothing of it runs any more, soon after the signal fires. What
 * it throws is a failed task.
 */
export type Work = (task: SubagentTask, options: WorkOptions) => Promise<WorkResult>;
