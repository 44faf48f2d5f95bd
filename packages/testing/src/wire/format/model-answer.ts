import { isRecord, parsedJson } from '@toolfold/core/internal/tools/values';

/** Why an answer ends, independent of the provider. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter';

/** One answer of a model, in no provider's form. A wire format writes it as a body or as a stream. */
export interface ModelAnswer {
  readonly model: string;
  readonly newId: (prefix: string) => string;
  /** Records a call whose item a later request may refer to by id. */
  readonly issue: (itemId: string, callId: string) => void;
  readonly reasoning: string | undefined;
  readonly text: string | undefined;
  readonly calls: readonly AnswerCall[];
  readonly finish: FinishReason;
  /** Cuts a text into the pieces that a stream sends. */
  readonly cut: (text: string) => readonly string[];
  readonly usage: AnswerUsage;
  /** The body of the request, for options that change the form of the answer. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One tool call of an answer. `text` holds its arguments as the model wrote them. */
export interface AnswerCall {
  readonly name: string;
  readonly id: string | undefined;
  readonly text: string;
}

/**
 * Tokens. `input` includes `cached` and `written`, which includes `writtenForHour`; `output` includes
 * `reasoning`.
 */
export interface AnswerUsage {
  readonly input: number;
  /** Read from the cache. */
  readonly cached: number;
  /** Written to the cache at a price above that of input. */
  readonly written: number;
  /** Those of them that are kept for an hour. */
  readonly writtenForHour: number;
  readonly output: number;
  readonly reasoning: number;
}

/** The parsed arguments of a call, for formats that carry them as a JSON value. Malformed text stays text. */
export function parsedArguments(text: string): unknown {
  if (text === '') return {};
  const input = parsedJson(text);
  return isRecord(input) ? input : text;
}
