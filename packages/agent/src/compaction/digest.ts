import { isErrorOutput, mcpOutput } from '@toolfold/ai-sdk/internal/messages';
import { readStamp, withoutStamp } from '@toolfold/core/internal/host';
import { formatNumber, isRecord, truncate } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import { RECALL, type ResultPart } from '../entries/index.ts';
import { partsOf } from '../state/index.ts';

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

/** Names a result by the id of its call and its text, for the tool that reads results again. */
export type RecallId = (call: string, text: string) => string;

/** Finds the results of tools in the messages of a conversation, which are read in order. */
export class ToolResults {
  /** Calls with results in the format of MCP: their stamps say so. Calls of several answers may have one id. */
  readonly #mcp = new Set<string>();

  /** The results in the next message. */
  in(message: ModelMessage): readonly ResultPart[] {
    return partsOf([message]).flatMap((part) => {
      if (part.type === 'tool-call') {
        if (readStamp(part.providerOptions)?.f === 'mcp') this.#mcp.add(part.toolCallId);
        else this.#mcp.delete(part.toolCallId);
      }
      return message.role === 'tool' && part.type === 'tool-result' ? [part] : [];
    });
  }

  /** Whether the result of the latest call with this id is in the format of MCP. */
  isMcp(call: string): boolean {
    return this.#mcp.has(call);
  }
}

/** The digest of a result; undefined for a result that is small. Without `recallId` nobody reads it again. */
export function digestOf(
  { toolCallId: call, output }: ResultPart,
  isMcp: boolean,
  recallId: RecallId | undefined,
): Digest | undefined {
  const known = digestIn(output);
  if (known) return known;
  const shown = shownOutput(output, isMcp);
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
export function digestIn({ type, ...output }: ResultPart['output']): Digest | undefined {
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
export function digested(result: ResultPart, digest: Digest): ResultPart {
  if (digestIn(result.output)) return result;
  const { providerOptions: given, output: whole, ...rest } = result;
  // The stamp holds the whole output as the model has read it.
  const others = withoutStamp(given);
  const type = isErrorOutput(whole) ? 'error-json' : 'json';
  const output = { type, value: { ...digest } } as typeof whole;
  return { ...rest, output, ...(others ? { providerOptions: others } : {}) };
}

type Output = ResultPart['output'];

/** The text of a result as the model reads it. A line stands in place of each file. */
export function textOfOutput(output: Output): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value) ?? '';
    case 'execution-denied':
      return output.reason ?? '';
    case 'content':
      return output.value
        .map((part) => (part.type === 'text' ? part.text : fileText(part)))
        .join('\n');
  }
}

/** The output of an MCP tool in the form that the model reads. Others are unchanged. */
export function shownOutput(output: Output, isMcp: boolean): Output {
  return isMcp && output.type === 'json' ? (mcpOutput(output.value) as Output) : output;
}

type OutputPart = Extract<Output, { type: 'content' }>['value'][number];
type FilePart = Exclude<OutputPart, { type: 'text' }>;

/** The text of a part of a result that is no text: that of a text file, else what the part is and how large. */
function fileText(part: FilePart): string {
  if (part.type === 'file' && part.data.type === 'text') return part.data.text;
  const bytes = bytesOf(part);
  const size = bytes === undefined ? '' : `, ${formatNumber(bytes)} bytes`;
  return `[${kindOf(part)}${size}: not shown here; call the tool again to see it]`;
}

/** The media type of a part, or the type of a part that has none. */
function kindOf(part: FilePart): string {
  return 'mediaType' in part && part.mediaType ? part.mediaType : part.type;
}

/** The size of the data that a part holds itself. */
function bytesOf(part: FilePart): number | undefined {
  if (!('data' in part)) return;
  const data: unknown =
    part.type === 'file' ? (part.data.type === 'data' ? part.data.data : undefined) : part.data;
  // The data is base64.
  if (typeof data === 'string') return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  return data instanceof Uint8Array || data instanceof ArrayBuffer ? data.byteLength : undefined;
}
