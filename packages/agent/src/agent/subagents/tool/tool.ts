import { checkSubagentOptions } from '@toolfold/config/internal/config';
import { jsonSchema, type Tool as SdkTool, tool } from 'ai';
import { SUBAGENTS } from '../engine/index.ts';
import type { SubagentReport } from '../report/index.ts';
import { inputSchema, type SubagentInput } from './input.ts';
import { limitsOf, type SubagentOptions } from './options.ts';

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
export function createSubagents(options: SubagentOptions = {}): Subagents {
  checkSubagentOptions(options);
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

function describe(options: SubagentOptions): string {
  const { tasks } = limitsOf(options);
  return [
    `Hands up to ${tasks} independent tasks to subagents that work at the same time, and returns all their answers in the order of the tasks.`,
    'Use it where work can be split into parts that do not need each other; do a single or a sequential task yourself.',
    'A subagent sees nothing of this conversation: put all it needs into `task` and `context`, what all of them need into `shared_context`. It has tools, but cannot ask back.',
    'Read each `status`; put the answers together yourself.',
  ].join(' ');
}
