import type { ModelMessage, ToolModelMessage } from 'ai';
import { readStamp, withoutStamp } from '../../host/index.ts';
import { truncate } from '../../tools/values/index.ts';
import { type Output, shownOutput, textOfOutput } from './output-text.ts';

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
  /** The tool that reads it again, if the model has that tool. */
  readonly recall?: typeof RECALL;
  /** The call's id, for that tool. */
  readonly id: string;
}

export type Result = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** How results of a conversation become digests. */
export interface DigestOptions {
  /** Whether the model has the tool that reads results again. */
  readonly canRecall: boolean;
  /** Ids of calls whose results are in the format of MCP. */
  readonly mcp: ReadonlySet<string>;
}

/** Ids of the calls whose results are in the format of MCP. */
export function mcpCalls(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const part of content) {
      if (part.type !== 'tool-call') continue;
      if (readStamp(part.providerOptions)?.f === 'mcp') ids.add(part.toolCallId);
      else ids.delete(part.toolCallId);
    }
  }
  return ids;
}

/** The digest of a result; undefined for a result that is small. */
export function digestOf(
  { toolCallId: id, output }: Result,
  { canRecall, mcp }: DigestOptions,
): Digest | undefined {
  const shown = shownOutput(output, mcp.has(id));
  const text = textOfOutput(shown);
  const hasFiles = shown.type === 'content' && shown.value.some(({ type }) => type !== 'text');
  if (text.length <= SMALL && !hasFiles) return;
  const recall = canRecall ? ({ recall: RECALL } as const) : {};
  return { digest: truncate(text, DIGEST_LENGTH), length: text.length, ...recall, id };
}

/** The result with a digest in place of its output; the same result if it is small. */
export function digested(result: Result, options: DigestOptions): Result {
  const digest = digestOf(result, options);
  if (!digest) return result;
  const { providerOptions: given, ...rest } = result;
  // The stamp holds the whole output as the model has read it.
  const others = withoutStamp(given);
  const isError = result.output.type.startsWith('error');
  const output = { type: isError ? 'error-json' : 'json', value: { ...digest } } as Output;
  return { ...rest, output, ...(others ? { providerOptions: others } : {}) };
}
