import { isRecord, ownProperty } from '@toolfold/core/internal/values';
import {
  changeRefusal,
  deferredDefinitions,
  resultReferences,
  toolChanges,
  toolsRefusal,
} from './anthropic-tools.ts';
import { marksRefusal } from './cache-marks.ts';
import { declaredTools, duplicateOf, type RecordedRequest, recordsOf } from './recorded-request.ts';
import type { RequestRefusal } from './wire-format.ts';

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
): RequestRefusal | undefined {
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

// Docs, "Mid-conversation system messages and tool changes": the limit of deferred tools, and also of
// tools that messages have defined and not removed.
const MAX_TOOLS = 10_000;
const MAX_DEFINITION_BYTES = 4_194_304; // the same page: all definitions in messages together

/** Why the API would refuse the number or size of the available tools after a message; undefined if it would not. */
function limitRefusal(body: Readonly<Record<string, unknown>>): RequestRefusal | undefined {
  const deferred = deferredDefinitions(body).size;
  if (deferred > MAX_TOOLS) return exceeded(`${deferred} deferred tools`, MAX_TOOLS);
  const sizes = new Map<string, number>();
  let bytes = 0;
  for (const { kind, name, definition } of toolChanges(body)) {
    if (name === undefined || (kind === 'addition' && definition === undefined)) continue;
    bytes -= sizes.get(name) ?? 0;
    sizes.delete(name);
    if (definition === undefined) continue;
    const size = Buffer.byteLength(JSON.stringify(definition));
    sizes.set(name, size);
    bytes += size;
    if (sizes.size > MAX_TOOLS) return exceeded(`${sizes.size} tools defined`, MAX_TOOLS);
    if (bytes > MAX_DEFINITION_BYTES) {
      return exceeded(`${bytes} bytes of definitions`, MAX_DEFINITION_BYTES);
    }
  }
  return undefined;
}

function exceeded(found: string, limit: number): RequestRefusal {
  const code = 'available_tools_limit_exceeded';
  return { message: `messages: ${found}, but at most ${limit} may be available.`, code };
}

/** Why the API would refuse a tool reference in a result or a system message; undefined if it would not. */
function referenceRefusal(body: Readonly<Record<string, unknown>>): RequestRefusal | undefined {
  const known = new Set(declaredTools(body).map(({ name }) => name));
  const changes = toolChanges(body);
  for (const [index, message] of recordsOf(body.messages).entries()) {
    for (const change of changes.filter((candidate) => candidate.message === index)) {
      if (change.name === undefined) continue;
      if (change.definition !== undefined) known.add(change.name);
      else if (!known.has(change.name)) return unresolved(change.at, change.name);
    }
    for (const [place, block] of recordsOf(message.content).entries()) {
      const at = `messages.${index}.content.${place}`;
      const names = resultReferences(block);
      const unknown = names.find((name) => !known.has(name));
      if (unknown !== undefined) return unresolved(at, unknown);
      if (names.length > 0 && Array.isArray(block.content) && block.content.length > names.length) {
        return `${at}.tool_result.content: \`tool_reference\` blocks cannot stand beside other content.`;
      }
    }
  }
  return undefined;
}

function unresolved(at: string, name: string): RequestRefusal {
  const message = `${at}: tool reference '${name}' not found in available tools.`;
  return { message, code: 'tool_reference_unresolved' };
}

/**
 * Why the API would refuse the position of a system message; undefined if it would not (docs,
 * "Mid-conversation system messages and tool changes"). Consecutive system messages count as one.
 * System messages without content are allowed anywhere.
 */
function placementRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const messages = recordsOf(body.messages);
  const changing = new Set(toolChanges(body).map(({ message }) => message));
  for (const [start, message] of messages.entries()) {
    const before = messages[start - 1];
    if (message.role !== 'system' || before?.role === 'system') continue;
    const next = messages.findIndex(({ role }, at) => at > start && role !== 'system');
    const end = next === -1 ? messages.length : next;
    if (!messages.slice(start, end).some(hasContent)) continue;
    const paused = before?.role === 'assistant' && endsInServerResult(before);
    if (before?.role !== 'user' && !paused) {
      return `messages.${start}: a system message must follow a user turn or an assistant turn that ends in a server tool result.`;
    }
    if (next !== -1 && messages[next]?.role !== 'assistant') {
      return `messages.${end - 1}: a system message must be the last or precede an assistant turn.`;
    }
    const change = messages.findIndex((_, at) => at >= start && at < end && changing.has(at));
    if (paused && change !== -1) {
      return `messages.${change}: tools cannot be changed right after a paused assistant turn.`;
    }
  }
  return undefined;
}

function hasContent({ content }: Record<string, unknown>): boolean {
  return typeof content === 'string' ? content !== '' : recordsOf(content).length > 0;
}

function endsInServerResult({ content }: Record<string, unknown>): boolean {
  return String(recordsOf(content).at(-1)?.type).endsWith('_tool_result');
}

/** Characters of base64, and pixels on a side, that the API takes of an image. */
const MAX_BASE64 = 5_242_880;
const MAX_SIDE = 8000;

/** How a PNG begins and ends, in hexadecimal: its signature with the header of its first chunk, and its last chunk. */
const BEGIN = /^89504e470d0a1a0a0000000d49484452(\w{8})(\w{8})/;
const END = /49454e44ae426082$/;

/**
 * Why the API would refuse an image; undefined if it would not. The words are those of anthropics/claude-code#10612 (size), #13480 (sides)
 * and #56016 (damaged files; they stay in the conversation, and each later request is refused too). Of the kinds of files, only PNG is read: one that breaks off, and its sides.
 */
function imageRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [index, message] of recordsOf(body.messages).entries())
    for (const [place, block] of recordsOf(message.content).entries())
      for (const image of [block, ...recordsOf(block.content)]) {
        const problem = image.type === 'image' ? problemOf(image.source) : undefined;
        if (problem === undefined) continue;
        const at = `messages.${index}.content.${place}.image.source.base64`;
        return problem === DAMAGED ? problem : `${at}${problem}`;
      }
  return undefined;
}

const DAMAGED = 'Could not process image';

function problemOf(source: unknown): string | undefined {
  const data = ownProperty(source, 'data');
  if (ownProperty(source, 'type') !== 'base64' || typeof data !== 'string') return;
  if (data.length > MAX_BASE64)
    return `: image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_BASE64} bytes`;
  if (ownProperty(source, 'media_type') !== 'image/png') return;
  const [header, width = '', height = ''] = BEGIN.exec(hexadecimal(data.slice(0, 40))) ?? [];
  // A stand-in of a test has no header. It is not read.
  if (header === undefined) return;
  const sides = [width, height].map((side) => Number.parseInt(side, 16));
  if (sides.includes(0) || !END.test(hexadecimal(data.slice(-16)))) return DAMAGED;
  if (sides.some((side) => side > MAX_SIDE))
    return `.data: At least one of the image dimensions exceed max allowed size: ${MAX_SIDE} pixels`;
  return;
}

function hexadecimal(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
