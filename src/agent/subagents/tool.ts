import { jsonSchema, type Tool as SdkTool, tool } from 'ai';
import type { SubagentInput } from './input.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, MAX_TIMEOUT, SUBAGENTS } from './limits.ts';
import { limitsOf, type SubagentOptions } from './options.ts';
import { checkSubagentOptions } from './options-check.ts';
import type { SubagentReport } from './report.ts';

/** The tool `subagents`, and how its children are to be: for one fold and the agents over it. */
export interface Subagents {
  /** For `createFold({ tools })`: the tool is declared, searched and ruled by roles like any other. */
  readonly tools: { readonly subagents: SdkTool<SubagentInput, SubagentReport> };
  readonly options: SubagentOptions;
}

/**
 * Makes the tool that hands tasks to parallel subagents. Give `tools` to `createFold` and the whole
 * to `createAgent({ subagents })`. Throws `invalid-option`.
 */
export function createSubagents(options: SubagentOptions = {}): Subagents {
  checkSubagentOptions(options);
  return {
    options,
    tools: {
      [SUBAGENTS]: tool({
        description: describe(options),
        inputSchema: jsonSchema<SubagentInput>(schemaOf(options) as never),
        execute: (): SubagentReport => {
          throw new Error('Subagents are not set up here. Do the tasks yourself, one by one.');
        },
      }),
    },
  };
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

function schemaOf(options: SubagentOptions): object {
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
            task: { type: 'string', minLength: 1, description: 'What to do and what to return.' },
            context: text('What only this task needs to know.'),
            ...(roles ? { role } : {}),
          },
          required: ['id', 'task'],
          additionalProperties: false,
        },
      },
      shared_context: text('What every task needs to know.'),
      format: {
        enum: ['structured', 'concise', 'detailed'],
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
