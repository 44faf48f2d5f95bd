import type { TokenCounter } from '@toolfold/core/internal/tool';
import { isRecord } from '@toolfold/core/internal/values';
import {
  deferredDefinitions,
  requestFormats,
  shownNames,
  type WireProvider,
} from '../wire/index.ts';

/**
 * The parts of a request that the auditor needs. A `RecordedRequest` has them. The format of the body
 * is found from the name of the provider (`anthropic`, `openai`, `azure`, any other name), the address
 * and the body; the first two may be missing.
 */
export interface AuditableRequest {
  readonly provider?: WireProvider | (string & {}) | undefined;
  readonly url?: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request whose format is known. */
export interface FormattedRequest {
  readonly provider: WireProvider;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One request in its own format; `undefined` if it cannot be read. */
export function formatted(request: AuditableRequest): FormattedRequest | undefined {
  const [format] = requestFormats([request]);
  return format === undefined || 'unreadable' in format ? undefined : format;
}

/** The parts of a request in the order in which providers build the cached prefix. */
export type BlockSection = 'tools' | 'system' | 'messages';

/** The smallest part of a request for the comparison of prefixes. */
export interface Block {
  readonly section: BlockSection;
  /** The path of the block: `tools[3]`, `system[0]`, `messages[4].content[1]`, `input[2]`. */
  readonly path: string;
  /**
   * The JSON of the block in its original key order, without cache markers. For Anthropic, followed by
   * the deferred definitions that it refers to.
   */
  readonly text: string;
  /** The message around it without its blocks: role, call id, and the order of its keys. */
  readonly frame: string;
}

/** A block with what stands there in the body. */
export interface PlacedBlock extends Block {
  readonly value: unknown;
  /** The message or item around it, for blocks of messages. */
  readonly message?: Readonly<Record<string, unknown>>;
}

/**
 * The blocks of a request in cache order: tools, system, messages (one per tool, system block and
 * content block). Chat Completions and Responses keep system messages among the messages. Anthropic
 * moves each deferred tool from the prefix to the block that refers to it; this function does the same.
 * Empty for a request that cannot be read.
 */
export function blocksOf(request: AuditableRequest): Block[] {
  const read = formatted(request);
  const blocks = read === undefined ? [] : blocksIn(read);
  return blocks.map(({ section, path, text, frame }) => ({ section, path, text, frame }));
}

/** The blocks of a request whose format is known. */
export function blocksIn({ provider, body }: FormattedRequest): PlacedBlock[] {
  const list = provider === 'openai-responses' ? 'input' : 'messages';
  const system = provider === 'openai-responses' ? body.instructions : body.system;
  const deferred: Definitions = provider === 'anthropic' ? deferredDefinitions(body) : new Map();
  const isDeferred = (tool: unknown): boolean =>
    provider === 'anthropic' && isRecord(tool) && tool.defer_loading === true;
  return [
    ...asList(body.tools).flatMap((tool, index) =>
      isDeferred(tool) ? [] : [block('tools', `tools[${index}]`, tool)],
    ),
    ...asList(system).map((part, index) => block('system', `system[${index}]`, part)),
    ...asList(body[list]).flatMap((message, index) =>
      messageBlocks(`${list}[${index}]`, message, deferred),
    ),
  ];
}

type Definitions = ReadonlyMap<string, unknown>;

// One block per content part and, in Chat Completions, per tool call. All tools added by a message
// are one block. Items of the Responses API without content (calls, outputs, reasoning) are one
// block each.
function messageBlocks(path: string, message: unknown, deferred: Definitions): PlacedBlock[] {
  if (!isRecord(message)) return [block('messages', path, message)];
  const parts = ['content', 'tool_calls', 'tools'].filter((key) => Object.hasOwn(message, key));
  const frame = bytes(
    Object.fromEntries(Object.entries(message).map(([k, v]) => [k, parts.includes(k) ? null : v])),
  );
  const blocks = parts.flatMap((key) => {
    const value = message[key];
    if (!Array.isArray(value) || key === 'tools') {
      return [{ ...block('messages', `${path}.${key}`, value, frame), message }];
    }
    return value.map((part, index) => {
      const names = isRecord(part) ? shownNames(part) : [];
      const shown = names.flatMap((name) => deferred.get(name) ?? []);
      return { ...block('messages', `${path}.${key}[${index}]`, part, frame, shown), message };
    });
  });
  return blocks.length > 0 ? blocks : [{ ...block('messages', path, message), message }];
}

function block(
  section: BlockSection,
  path: string,
  value: unknown,
  frame = '',
  shown: readonly unknown[] = [],
): PlacedBlock {
  return { section, path, text: [value, ...shown].map(bytes).join('\n'), frame, value };
}

function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

// Markers may move: they say where to cache and are not content. Only values in the form of a marker
// are left out, because a tool may have a parameter of that name.
function bytes(value: unknown): string {
  return (
    JSON.stringify(value, (key, member: unknown) =>
      (key === 'cache_control' && isMarker(member)) || isBreakpointMark(key, member)
        ? undefined
        : member,
    ) ?? 'null'
  );
}

function isBreakpointMark(key: string, value: unknown): boolean {
  return key === 'prompt_cache_breakpoint' && isRecord(value) && value.mode === 'explicit';
}

function isMarker(value: unknown): boolean {
  return value === null || (isRecord(value) && value.type === 'ephemeral');
}

/** Caches the counts of a counter by text, because every request repeats the earlier blocks. */
export function remembered(count: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = count(text);
    known.set(text, tokens);
    return tokens;
  };
}
