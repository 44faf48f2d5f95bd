import { MAX_TIMEOUT } from '../../../config/index.ts';
import type { JsonSchema } from '../../../tools/values/index.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, FORMATS } from '../engine/index.ts';
import { limitsOf, type SubagentOptions } from './options.ts';

/** The JSON Schema of the tool's input. */
export function inputSchema(options: SubagentOptions): JsonSchema {
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
