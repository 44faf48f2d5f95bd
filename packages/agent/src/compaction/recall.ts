import { checkArguments } from '@toolfold/core/internal/schema';
import { jsonSchema, type ModelMessage, type Tool as SdkTool, tool } from 'ai';
import {
  DESCRIPTION,
  type Kinds,
  RECALL,
  RECALL_LENGTH,
  RECALL_SCHEMA,
  type ResultPart,
  type RunOutcome,
  restored,
} from '../entries/index.ts';
import type { Entry } from '../sessions/index.ts';
import { outputOf } from '../state/index.ts';
import { digestIn, shownOutput, ToolResults, textOfOutput } from './digest.ts';

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

type Output = ResultPart['output'];

/** The result of a call. */
interface RecalledResult {
  readonly id: string;
  readonly name: string;
  /** Its text, as the model has read it. */
  readonly text: () => string;
}

/** The id of a call, and which of the results with this id is meant, from 1. */
const NUMBERED = /^(.*)#(\d+)$/s;

/** The results of tools in the entries of a session. Some endpoints use an id of a call again in each answer. */
export class RecordedResults {
  /** The results in order. */
  readonly #all: readonly RecalledResult[];

  constructor(entries: readonly Entry[]) {
    const results = new ToolResults();
    /** Outputs are restored only where they are shown, because some are large. */
    const recorded = (id: string, name: string, output: () => Output): RecalledResult => {
      const isMcp = results.isMcp(id);
      let text: string | undefined;
      return { id, name, text: () => (text ??= textOfOutput(shownOutput(output(), isMcp))) };
    };
    const given = ({ toolCallId, toolName, output }: ResultPart) =>
      // A digest stands for a result that is recorded before it.
      digestIn(output) ? [] : [recorded(toolCallId, toolName, () => restored(output) as Output)];
    this.#all = entries.flatMap((entry) => {
      if (entry.kind !== 'result')
        return messagesOf(entry).flatMap((message) => results.in(message).flatMap(given));
      const { id, name, isBridge, ...outcome } = entry.body as unknown as Kinds['result'];
      const output = () => outputOf(restored(outcome) as RunOutcome, false);
      return isBridge ? [] : [recorded(id, name, output)];
    });
  }

  /** The result that an id of a digest names. A plain id of a call names the latest result with it. */
  find(id: string): RecalledResult | undefined {
    const [, call, number] = NUMBERED.exec(id) ?? [];
    const named = this.#all.filter((one) => one.id === call)[Number(number) - 1];
    return named ?? this.#all.findLast((one) => one.id === id);
  }

  /** The id by which a digest names a result: that of the call, and which result with this id and text it is. */
  idOf(call: string, text: string): string {
    const results = this.#all.filter(({ id }) => id === call);
    const index = results.findLastIndex((one) => one.text() === text);
    return index < 0 ? call : `${call}#${index + 1}`;
  }

  /** The calls with the newest results, the newest first. */
  newest(count: number): readonly Pick<RecalledResult, 'id' | 'name'>[] {
    const known = new Map<string, Pick<RecalledResult, 'id' | 'name'>>();
    for (const { id, name } of this.#all.toReversed())
      if (known.size < count && !known.has(id)) known.set(id, { id, name });
    return [...known.values()];
  }
}

/** Messages in an entry. Those of a compaction are left out: their results stand in entries before. */
function messagesOf({ kind, body }: Entry): readonly ModelMessage[] {
  if (kind === 'messages') return (body as unknown as Kinds['messages']).add;
  if (kind !== 'model') return [];
  return [{ role: 'assistant', content: (body as unknown as Kinds['model']).content }];
}
