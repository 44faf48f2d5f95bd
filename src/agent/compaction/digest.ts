import type { ModelMessage, ToolModelMessage } from 'ai';
import { readStamp, withoutStamp } from '../../host/index.ts';
import { isRecord, truncate } from '../../tools/values/index.ts';
import { partsOf } from '../state/index.ts';
import { kindOf, type Output, shownOutput, textOfOutput } from './output-text.ts';

/** The tool that reads a result of the conversation again. */
export const RECALL = 'recall_result';

/** Characters of a result that its digest shows. */
const DIGEST_LENGTH = 300;

/** Characters up to which a result stays whole: a digest would save too little. */
const SMALL = 1_000;

/** What stands in a large result's place. */
export interface Digest {
  readonly digest: string;
  /** Characters of the whole result. */
  readonly length: number;
  /** What files the result holds, by their media types. */
  readonly files?: readonly string[];
  /** The tool that reads it again, if the model has that tool. */
  readonly recall?: typeof RECALL;
  /** Names this result and no other one, for that tool. Without it, the call's id. */
  readonly id: string;
}

export type Result = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** How results of a conversation become digests. */
export interface DigestOptions {
  /** Names a result by the id of its call and its text. Undefined if the model cannot read results again. */
  readonly recallId: ((call: string, text: string) => string) | undefined;
  /** The results in the format of MCP. */
  readonly mcp: ReadonlySet<Result>;
}

/** The results in the format of MCP. The stamps of their calls say so. Calls of several answers may have one id. */
export function mcpResults(messages: readonly ModelMessage[]): ReadonlySet<Result> {
  const calls = new Set<string>();
  const results = new Set<Result>();
  for (const part of partsOf(messages)) {
    if (part.type === 'tool-call') {
      if (readStamp(part.providerOptions)?.f === 'mcp') calls.add(part.toolCallId);
      else calls.delete(part.toolCallId);
    }
    if (part.type === 'tool-result' && calls.has(part.toolCallId)) results.add(part);
  }
  return results;
}

/** The digest of a result; undefined for a result that is small. */
export function digestOf(result: Result, { recallId, mcp }: DigestOptions): Digest | undefined {
  const { toolCallId: call, output } = result;
  const known = digestIn(output);
  if (known) return known;
  const shown = shownOutput(output, mcp.has(result));
  const text = textOfOutput(shown);
  const parts = shown.type === 'content' ? shown.value : [];
  const kinds = parts.flatMap((part) => (part.type === 'text' ? [] : [kindOf(part)]));
  if (text.length <= SMALL && kinds.length === 0) return;
  return {
    digest: truncate(text, DIGEST_LENGTH),
    length: text.length,
    ...(kinds.length > 0 ? { files: [...new Set(kinds)] } : {}),
    ...(recallId ? { recall: RECALL, id: recallId(call, text) } : { id: call }),
  };
}

/** The digest that an earlier compaction has put in place of the output. */
export function digestIn({ type, ...output }: Output): Digest | undefined {
  if (type !== 'json' && type !== 'error-json') return;
  const value = 'value' in output ? output.value : undefined;
  if (!isRecord(value) || Object.keys(value).some((key) => !KEYS.has(key))) return;
  const { digest, length, id } = value;
  const isDigest = typeof digest === 'string' && digest.length <= DIGEST_LENGTH + 1;
  return isDigest && typeof length === 'number' && typeof id === 'string'
    ? (value as unknown as Digest)
    : undefined;
}

const KEYS: ReadonlySet<string> = new Set(['digest', 'length', 'files', 'recall', 'id']);

/** The result with the digest in place of its output; the same result if its output is a digest. */
export function digested(result: Result, digest: Digest): Result {
  if (digestIn(result.output)) return result;
  const { providerOptions: given, ...rest } = result;
  // The stamp holds the whole output as the model has read it.
  const others = withoutStamp(given);
  const isError = result.output.type.startsWith('error');
  const output = { type: isError ? 'error-json' : 'json', value: { ...digest } } as Output;
  return { ...rest, output, ...(others ? { providerOptions: others } : {}) };
}
