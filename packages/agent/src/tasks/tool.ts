import {
  checkSubagentOptions,
  MAX_TIMEOUT,
  NARROW,
  type SubagentLimits,
  type SubagentSettings,
  WIDE,
} from '@toolfold/config/internal/settings';
import { checkArguments } from '@toolfold/core/internal/schema';
import { fixedOptions, type JsonSchema } from '@toolfold/core/internal/values';
import { jsonSchema, type LanguageModel, type Tool as SdkTool, tool } from 'ai';
import type { AgentHooks } from '../events/index.ts';
import {
  type AnswerFormat,
  type Batch,
  type Engine,
  FORMATS,
  SUBAGENTS,
  type SubagentTask,
  type Work,
} from './engine.ts';
import type { SubagentReport } from './report.ts';

/** The tool `subagents` and the options of its children, for one fold and its agents. */
export interface Subagents {
  /** For `createFold({ tools })`. The tool is declared, searched and controlled by roles like any other. */
  readonly tools: { readonly subagents: SdkTool<SubagentInput, SubagentReport> };
  readonly options: SubagentOptions;
}

/**
 * Creates the tool that runs tasks in parallel subagents. Pass `tools` to `createFold`, and the whole
 * result to `createAgent({ subagents })`. Throws `invalid-option`.
 */
export function createSubagents(given: SubagentOptions = {}): Subagents {
  checkSubagentOptions(given);
  const options = fixedSubagents(given);
  return {
    options,
    tools: {
      [SUBAGENTS]: tool({
        // The model must see it at all times.
        deferLoading: false,
        description: describe(options),
        inputSchema: jsonSchema<SubagentInput>(inputSchema(options) as never),
        execute: (): SubagentReport => {
          throw new Error(
            'Subagents are not available in this application. Do the tasks yourself, one by one.',
          );
        },
      }),
    },
  };
}

/** The options as they are now. */
export function fixedSubagents(options: SubagentOptions): SubagentOptions {
  return fixedOptions(options, ['engine', 'model']);
}

function describe(options: SubagentOptions): string {
  const { tasks } = limitsOf(options);
  return [
    `Hands up to ${tasks} independent tasks to subagents that work at the same time, and returns all their answers in the order of the tasks.`,
    'Use it where work can be split into parts that do not need each other; do a single or a sequential task yourself.',
    'A subagent sees nothing of this conversation: put all it needs into `task` and `context`, what all of them need into `shared_context`. It has tools, but cannot ask back.',
    'Read each `status`; put the answers together yourself.',
  ].join(' ');
}

/** The options of subagents. All are optional. */
export interface SubagentOptions extends SubagentSettings {
  /**
   * Hooks for the calls of children. Required if the agent has `beforeToolCall` or `afterToolCall`,
   * because children could otherwise bypass them: the same hooks, other hooks, or `{}`.
   */
  readonly hooks?: AgentHooks | undefined;
  /** Returns the model of a child by its role. The parent's model if left out or if it returns undefined. */
  readonly model?:
    | ((role: string | undefined) => LanguageModel | undefined | Promise<LanguageModel | undefined>)
    | undefined;
  /** Where children run. In this process if left out. Children of children always run in this process. */
  readonly engine?: (Engine | ((work: Work, limits: SubagentLimits) => Engine)) | undefined;
}

/** The limits in effect. */
export function limitsOf({ wide }: Pick<SubagentOptions, 'wide'>): SubagentLimits {
  return wide === true ? WIDE : NARROW;
}

/** Default number of children that run at once. */
const DEFAULT_CONCURRENCY = 4;

/** Default time limit of one task in seconds. */
const DEFAULT_TIMEOUT = 300;

/** One task of the tool's input. */
export interface TaskInput {
  readonly id: string;
  readonly task: string;
  readonly context?: string;
  readonly role?: string;
}

/** The input of the tool. */
export interface SubagentInput {
  readonly tasks: readonly TaskInput[];
  readonly shared_context?: string;
  readonly format?: AnswerFormat;
  readonly concurrency?: number;
  /** In seconds. */
  readonly timeout?: number;
}

/** What all tasks of a call share, with defaults applied. */
export type SharedInput = Pick<SubagentTask, 'sharedContext' | 'format' | 'timeout'>;

type Order = SharedInput & Pick<Batch, 'concurrency'> & { readonly tasks: readonly TaskInput[] };

/** The JSON Schema of the tool's input. */
function inputSchema(options: SubagentOptions): JsonSchema {
  const { tasks, concurrency } = limitsOf(options);
  const { roles, concurrency: usual = DEFAULT_CONCURRENCY, timeout = DEFAULT_TIMEOUT } = options;
  const text = (description: string) => ({ type: 'string', description });
  const role = { enum: roles, description: 'What it may use; as you if left out.' };
  return {
    type: 'object',
    properties: {
      tasks: {
        type: 'array',
        minItems: 1,
        maxItems: tasks,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' },
            task: { type: 'string', pattern: '\\S', description: 'What to do and what to return.' },
            context: text('What only this task needs to know.'),
            ...(roles ? { role } : {}),
          },
          required: ['id', 'task'],
          additionalProperties: false,
        },
      },
      shared_context: text('What every task needs to know.'),
      format: {
        enum: FORMATS,
        description:
          'structured (default): summary, findings, open_questions; concise: a few sentences; detailed: a report.',
      },
      concurrency: {
        type: 'integer',
        minimum: 1,
        description: `How many work at once: ${usual}, at most ${concurrency}.`,
      },
      timeout: {
        type: 'integer',
        minimum: 1,
        description: `Seconds for each task: ${timeout}, at most ${MAX_TIMEOUT}.`,
      },
    },
    required: ['tasks'],
    additionalProperties: false,
  };
}

/**
 * Reads a call. Throws an error for the model, before any task starts, if the input does not match the
 * tool's schema (the SDK does not check it) or if two tasks have the same id.
 */
export async function readOrder(given: unknown, options: SubagentOptions): Promise<Order> {
  const check = await checkArguments({ name: SUBAGENTS, inputSchema: inputSchema(options) }, given);
  if (!check.ok) {
    const message = 'The arguments do not match the schema. No task was started.';
    refuse('invalid_arguments', message, { problems: check.problems, next: 'Correct them.' });
  }
  const { tasks, shared_context: sharedContext, ...input } = given as SubagentInput;
  const ids = tasks.map(({ id }) => id);
  const duplicates = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  if (duplicates.length > 0) {
    const ids = duplicates.slice(0, 5).join(', ');
    const message = `Two tasks have the same id: ${ids}. No task was started.`;
    refuse('duplicate_ids', message, { next: 'Give each task a unique id.' });
  }
  const { concurrency = DEFAULT_CONCURRENCY, timeout = DEFAULT_TIMEOUT } = options;
  return {
    tasks,
    ...(sharedContext === undefined ? {} : { sharedContext }),
    format: input.format ?? 'structured',
    concurrency: Math.min(input.concurrency ?? concurrency, limitsOf(options).concurrency),
    timeout: Math.min(input.timeout ?? timeout, MAX_TIMEOUT) * 1_000,
  };
}

function refuse(error: string, message: string, more: object): never {
  throw new Error(JSON.stringify({ error, message, ...more }));
}
