import { mcpOutput } from '@toolfold/ai-sdk/internal/results';
import { formatNumber } from '@toolfold/core/internal/tools/values';
import type { ResultPart } from '../entries/index.ts';

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

type Part = Extract<Output, { type: 'content' }>['value'][number];
type FilePart = Exclude<Part, { type: 'text' }>;

/** The text of a part of a result that is no text: that of a text file, else what the part is and how large. */
function fileText(part: FilePart): string {
  if (part.type === 'file' && part.data.type === 'text') return part.data.text;
  const bytes = bytesOf(part);
  const size = bytes === undefined ? '' : `, ${formatNumber(bytes)} bytes`;
  return `[${kindOf(part)}${size}: not shown here; call the tool again to see it]`;
}

/** The media type of a part, or the type of a part that has none. */
export function kindOf(part: FilePart): string {
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
