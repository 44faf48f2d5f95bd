import { isRecord } from '@toolfold/core/internal/tools/values';
import type { Refusal } from '../format/index.ts';
import { duplicateOf, type RecordedRequest, recordsOf } from '../request/index.ts';
import { marksRefusal } from './cache-marks.ts';
import { changeRefusal } from './change-refusal.ts';
import { imageRefusal } from './image-refusal.ts';
import { limitRefusal } from './limit-refusal.ts';
import { placementRefusal } from './placement-refusal.ts';
import { referenceRefusal } from './reference-refusal.ts';
import { toolsRefusal } from './tools-refusal.ts';

type Body = Readonly<Record<string, unknown>>;
type Signer = (thinking: string) => string;

/**
 * Why Anthropic's Messages API would answer this request with 400; undefined if it would not. Includes
 * rules that are documented (docs.claude.com: tool use, extended thinking, errors) or widely reported
 * verbatim, and two own rules for requests that the API accepts at extra cost.
 */
export function anthropicRefusal(
  { body, headers }: Pick<RecordedRequest, 'body' | 'headers'>,
  signatureOf: Signer,
): Refusal | undefined {
  return (
    toolsRefusal(body) ??
    limitRefusal(body) ??
    changeRefusal(body, headers) ??
    referenceRefusal(body) ??
    marksRefusal(body) ??
    emptyTextRefusal('system', body.system) ??
    contentRefusal(body, signatureOf) ??
    pairingRefusal(body) ??
    imageRefusal(body) ??
    placementRefusal(body)
  );
}

function contentRefusal(body: Body, signatureOf: Signer): string | undefined {
  const messages = recordsOf(body.messages);
  for (const [index, message] of messages.entries()) {
    const content = message.content;
    const last = index === messages.length - 1 && message.role === 'assistant';
    if ((content === '' || emptyList(content)) && !last && message.role !== 'system') {
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    }
    const empty = emptyTextRefusal('messages', content);
    if (empty !== undefined) return empty;
    for (const [place, block] of recordsOf(content).entries()) {
      const at = `messages.${index}.content.${place}`;
      if (block.type === 'tool_use' && !isRecord(block.input)) {
        return `${at}.tool_use.input: Input should be a valid dictionary`;
      }
      if (block.type === 'thinking' && block.signature !== signatureOf(String(block.thinking))) {
        return `${at}: Invalid \`signature\` in \`thinking\` block`;
      }
      if (block.type === 'tool_result') {
        const nested = emptyTextRefusal(`${at}.tool_result.content`, block.content);
        if (nested !== undefined) return nested;
      }
    }
  }
  return undefined;
}

function emptyTextRefusal(where: string, content: unknown): string | undefined {
  return recordsOf(content).some((block) => block.type === 'text' && block.text === '')
    ? `${where}: text content blocks must be non-empty`
    : undefined;
}

// Results must come first in the next message: text before them separates them from their calls.
// System messages during a conversation do not count in the alternation of roles.
function pairingRefusal(body: Body): string | undefined {
  const messages = recordsOf(body.messages)
    .map((message, index) => ({ message, index }))
    .filter(({ message }) => message.role !== 'system');
  let pending: string[] = [];
  let pendingAt = 0;
  for (const { message, index } of messages) {
    const blocks = recordsOf(message.content);
    const results = blocks.filter((block) => block.type === 'tool_result');
    const leading = blocks.slice(
      0,
      blocks.findIndex((block) => block.type !== 'tool_result'),
    );
    const opening = results.length === blocks.length ? results : leading;
    const answered = opening.map((block) => String(block.tool_use_id));
    const missing = pending.filter((id) => !answered.includes(id));
    if (missing.length > 0) return unanswered(pendingAt, missing);
    const stray = results.find((block) => !pending.includes(String(block.tool_use_id)));
    if (stray !== undefined) {
      return `messages.${index}.content.${blocks.indexOf(stray)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    const twice = duplicateOf(results.map((block) => String(block.tool_use_id)));
    if (twice !== undefined) {
      return `messages.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
    }
    pendingAt = index;
    pending = blocks.filter((block) => block.type === 'tool_use').map((block) => String(block.id));
  }
  if (pending.length > 0) return unanswered(pendingAt, pending);
  const ids = messages
    .flatMap(({ message }) => recordsOf(message.content))
    .filter((block) => block.type === 'tool_use')
    .map((block) => String(block.id));
  return duplicateOf(ids) === undefined ? undefined : 'messages: `tool_use` ids must be unique';
}

function unanswered(at: number, ids: readonly string[]): string {
  return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function emptyList(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}
