import { checkArguments } from '@toolfold/core/internal/tools/schema';
import { jsonSchema, type Tool as SdkTool, tool } from 'ai';
import { DESCRIPTION, RECALL, RECALL_LENGTH, RECALL_SCHEMA } from './definition/index.ts';
import type { RecordedResults } from './recorded-results.ts';

/** The input of the tool. */
export interface RecallInput {
  readonly id: string;
  /** The first character to read, 0 if left out. */
  readonly offset?: number;
  readonly limit?: number;
}

/** The part of a result that was read. */
export interface RecallAnswer {
  readonly id: string;
  /** The tool whose result it is. */
  readonly name: string;
  readonly offset: number;
  readonly text: string;
  /** Characters of the whole result. */
  readonly length: number;
  /** Characters behind this part. */
  readonly left: number;
}

/** The tool `recall_result`, for one fold and its agents. */
export interface Recall {
  /** For `createFold({ tools })`. */
  readonly tools: { readonly recall_result: SdkTool<RecallInput, RecallAnswer> };
}

/**
 * Creates the tool that reads earlier results of a session again. Pass `tools` to `createFold`, if
 * `createAgent` is given a fold. An agent with a session declares it from its first request on, so that a
 * compaction changes no tools.
 */
export function createRecall(): Recall {
  return {
    tools: {
      [RECALL]: tool({
        // The model must see it at all times.
        deferLoading: false,
        description: DESCRIPTION,
        inputSchema: jsonSchema<RecallInput>(RECALL_SCHEMA as never),
        execute: (): RecallAnswer => {
          throw new Error('Results cannot be read again in this application.');
        },
      }),
    },
  };
}

/** The ids that the answer to an unknown id lists. */
const LISTED = 10;

/** Answers a call. Throws an error for the model if the input is invalid or no result has the id. */
export async function recall(results: RecordedResults, given: unknown): Promise<RecallAnswer> {
  const check = await checkArguments({ name: RECALL, inputSchema: RECALL_SCHEMA }, given);
  if (!check.ok) {
    const message = 'The arguments do not match the schema. Nothing was read.';
    const { problems } = check;
    throw refusal({ error: 'invalid_arguments', message, problems, next: 'Correct them.' });
  }
  const { id, offset = 0, limit = RECALL_LENGTH } = given as RecallInput;
  const found = results.find(id);
  if (!found) {
    const newest = results.newest(LISTED);
    throw refusal({
      error: 'unknown_result',
      message: 'No result of this conversation has this id.',
      ...(newest.length > 0 ? { newest } : {}),
      next: 'Use an id as a digest names it, or call the tool itself again.',
    });
  }
  const { name } = found;
  const text = found.text();
  const part = text.slice(offset, offset + limit);
  const left = Math.max(0, text.length - offset - part.length);
  return { id, name, offset, text: part, length: text.length, left };
}

function refusal(answer: object): Error {
  return new Error(JSON.stringify(answer));
}
