import { jsonSchema, type Tool as SdkTool, tool } from 'ai';
import type { ToolLayer } from '../../tools/index.ts';
import { fingerprint } from '../../tools/values/index.ts';
import { RECALL } from '../compaction/index.ts';
import { MAX_RECALL, RECALL_SCHEMA, type RecallInput, readRecall } from './input.ts';
import type { RecordedResults } from './recorded-results.ts';

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

/** Whether a fold has this very tool. A tool of the app with its name is another one. */
export function hasRecall(layer: Pick<ToolLayer, 'fingerprintOf'>): boolean {
  return layer.fingerprintOf(RECALL) === FINGERPRINT;
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
  const { id, offset, limit } = await readRecall(given);
  const found = results.find(id);
  if (!found) {
    const known = results.newest(LISTED);
    throw new Error(
      JSON.stringify({
        error: 'unknown_result',
        message: 'No result of this conversation has this id.',
        ...(known.length > 0 ? { newest: known } : {}),
        next: 'Use an id as a digest names it, or call the tool itself again.',
      }),
    );
  }
  const { name, text } = found;
  const part = text.slice(offset, offset + limit);
  const left = Math.max(0, text.length - offset - part.length);
  return { id, name, offset, text: part, length: text.length, left };
}
