import { checkArguments } from '../../tools/schema/index.ts';
import type { JsonSchema } from '../../tools/values/index.ts';
import { RECALL } from '../compaction/index.ts';

/** Characters of one answer, if the call names no limit, and at most. */
const RECALL_LENGTH = 4_000;
export const MAX_RECALL = 20_000;

/** The input of the tool. */
export interface RecallInput {
  readonly id: string;
  /** The first character to read, 0 if left out. */
  readonly offset?: number;
  readonly limit?: number;
}

export const RECALL_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      description: 'The id of the call whose result is read, as its digest names it.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      description: 'The first character to read. 0 if left out.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_RECALL,
      description: `The most characters to read: ${RECALL_LENGTH} if left out, at most ${MAX_RECALL}.`,
    },
  },
  required: ['id'],
  additionalProperties: false,
};

/** Reads a call. Throws an error for the model if the input does not match the schema. */
export async function readRecall(given: unknown): Promise<Required<RecallInput>> {
  const check = await checkArguments({ name: RECALL, inputSchema: RECALL_SCHEMA }, given);
  if (!check.ok) {
    const message = 'The arguments do not match the schema. Nothing was read.';
    const { problems } = check;
    throw new Error(
      JSON.stringify({ error: 'invalid_arguments', message, problems, next: 'Correct them.' }),
    );
  }
  const { id, offset = 0, limit = RECALL_LENGTH } = given as RecallInput;
  return { id, offset, limit };
}
