import type { AnswerFormat } from './engine.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, MAX_TIMEOUT } from './limits.ts';
import { limitsOf, type SubagentOptions } from './options.ts';

/** One task as the model writes it. */
export interface TaskInput {
  readonly id: string;
  readonly task: string;
  readonly context?: string;
  readonly role?: string;
}

/** What the model gives the tool; it has passed the tool's schema. */
export interface SubagentInput {
  readonly tasks: readonly TaskInput[];
  readonly shared_context?: string;
  readonly format?: AnswerFormat;
  readonly concurrency?: number;
  /** Seconds. */
  readonly timeout?: number;
}

/** A call with what it left out filled in. */
export interface Order {
  readonly tasks: readonly TaskInput[];
  readonly sharedContext: string | undefined;
  readonly format: AnswerFormat;
  readonly concurrency: number;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Reads a call; throws what the model is to read where two tasks have one id, and nothing starts. */
export function readOrder(input: SubagentInput, options: SubagentOptions): Order {
  const { tasks, shared_context: sharedContext, format = 'structured' } = input;
  const ids = tasks.map(({ id }) => id);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  if (twice.length > 0) {
    const message = `Two tasks have one id: ${twice.slice(0, 5).join(', ')}. No task was started.`;
    const next = 'Give each task an id of its own.';
    throw new Error(JSON.stringify({ error: 'duplicate_ids', message, next }));
  }
  const { concurrency = DEFAULT_CONCURRENCY, timeout = DEFAULT_TIMEOUT } = options;
  return {
    tasks,
    sharedContext,
    format,
    concurrency: Math.min(input.concurrency ?? concurrency, limitsOf(options).concurrency),
    timeout: Math.min(input.timeout ?? timeout, MAX_TIMEOUT) * 1_000,
  };
}
