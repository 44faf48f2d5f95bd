import { jsonSchema, type Tool as SdkTool, tool } from 'ai';
import type { ToolLayer } from '../../tools/index.ts';
import { checkArguments } from '../../tools/schema/index.ts';
import { fingerprint, type JsonSchema } from '../../tools/values/index.ts';
import { RECALL } from '../compaction/index.ts';
import type { RecordedResults } from './recorded-results.ts';

/** Characters of one answer, if the call names no limit, and at most. */
const RECALL_LENGTH = 4_000;
const MAX_RECALL = 20_000;

/** The input of the tool. */
export interface RecallInput {
  readonly id: string;
  /** The first character to read, 0 if left out. */
  readonly offset?: number;
  readonly limit?: number;
}

const RECALL_SCHEMA: JsonSchema = {
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

const DESCRIPTION = [
  'Reads the result of an earlier call of this conversation again, where only a digest of it is left.',
  `Give the id that the digest names. One answer holds up to ${MAX_RECALL} characters; \`left\` says how many follow.`,
].join(' ');

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

const FINGERPRINT = fingerprint({
  name: RECALL,
  description: DESCRIPTION,
  parameters: RECALL_SCHEMA,
});

/** The layers that were asked. The own tools of a layer do not change. */
const asked = new WeakMap<object, boolean>();

/** Whether a fold has this very tool. A tool of the app with its name is another one. */
export function hasRecall(layer: Pick<ToolLayer, 'fingerprintOf'>): boolean {
  const found = asked.get(layer) ?? layer.fingerprintOf(RECALL) === FINGERPRINT;
  asked.set(layer, found);
  return found;
}

/** Whether new conversations declare the tool: if the fold has it, and other tools whose results can be read. */
export function isRecallDeclared(layer: Pick<ToolLayer, 'fingerprintOf' | 'known'>): boolean {
  const { tools, unnamed } = layer.known();
  return hasRecall(layer) && (unnamed.length > 0 || tools.some(({ name }) => name !== RECALL));
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
