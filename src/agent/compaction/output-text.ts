import type { ToolModelMessage } from 'ai';
import { mcpOutput } from '../../ai-sdk/results/index.ts';

type ToolPart = ToolModelMessage['content'][number];
export type Output = Extract<ToolPart, { type: 'tool-result' }>['output'];

/** The text of a result as the model reads it. Files are left out. */
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
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  }
}

/** The output of an MCP tool in the form that the model reads. Others are unchanged. */
export function shownOutput(output: Output, isMcp: boolean): Output {
  return isMcp && output.type === 'json' ? (mcpOutput(output.value) as Output) : output;
}
