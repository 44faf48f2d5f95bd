import type { ResolvedCall } from '@toolfold/core/internal/host';
import { fingerprint } from '@toolfold/core/internal/tool';
import {
  inexactNumber,
  isRecord,
  isTooDeep,
  MAX_NESTING,
  parsedJson,
} from '@toolfold/core/internal/values';
import { asSchema, type Tool as SdkTool } from 'ai';
import type { WireTool } from '../protocol/index.ts';

/** The input of a call from the model, parsed once. */
export interface RawInput {
  readonly raw: string;
  /** The value that the SDK reads: any JSON; an empty object for blank text; the text if it is not JSON. */
  readonly value: unknown;
  /**
   * What the model wrote: the object, or the text. Some providers encode such a text as a JSON string. Also the text of
   * an object with a number that cannot be read exactly.
   */
  readonly written: unknown;
}

export function readRaw(raw: string): RawInput {
  const value = anyInput(raw);
  if (raw.trim() === '' || inexactNumber(raw) !== undefined) return { raw, value, written: raw };
  const written = isRecord(value) || typeof value === 'string' ? value : raw;
  return { raw, value, written };
}

/** What stands for the levels that were cut off. */
const CUT = '… nested too deep …';

/**
 * The input without its levels below the last one that is accepted, as the SDK and providers recurse over it; undefined
 * for an input with fewer levels.
 */
export function cutIfDeep(raw: string): string | undefined {
  // An input with few brackets has few levels, and need not be read.
  if (raw.split(/[[{]/, MAX_NESTING + 2).length < MAX_NESTING + 2) return;
  const text = parsedJson(raw);
  const value = typeof text === 'string' ? parsedJson(text) : text;
  return isTooDeep(value) ? JSON.stringify(cut(value, MAX_NESTING)) : undefined;
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return CUT;
  const below = (member: unknown) => cut(member, levels - 1);
  if (Array.isArray(value)) return value.map(below);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, below(member)]));
}

/** Reads an input in the same way as the SDK. */
export function anyInput(raw: string): unknown {
  if (raw.trim() === '') return {};
  const value = parsedJson(raw);
  // A text that is not JSON is the input of a custom tool.
  return value === undefined ? raw : value;
}

/** The text of an input that is not JSON; undefined for JSON. */
export function brokenText({ value }: RawInput): string | undefined {
  return typeof value === 'string' && typeof anyInput(value) === 'string' ? value : undefined;
}

/** The input of a bridge tool: an object for the SDK, and what the bridge reads. */
interface BridgeInput {
  readonly given: Record<string, unknown>;
  /** The object, or what the model wrote if that is none. */
  readonly read: unknown;
  readonly isReadable: boolean;
}

/** Reads the input of a bridge tool. `text`: the input without what the provider wraps around it. */
export function readBridgeInput(input: RawInput, text: string = input.raw): BridgeInput {
  const written = text === input.raw ? input.written : anyInput(text);
  const given = isRecord(written) ? written : {};
  const isReadable = isRecord(written) || text.trim() === '';
  return { given, read: isReadable ? given : written, isReadable };
}

/** The input for the SDK of a call under the tool's own name, or wrapped in a call of the executor. */
export function inputUnder(place: string, { name, input }: ResolvedCall): unknown {
  return place === name ? input : { tool_name: name, arguments: input };
}

/**
 * The binding of a provider's own tool, which the layer does not have. An approval holds only for this
 * binding. Undefined for a tool with a schema.
 */
export function bindingOf(tool: SdkTool): string | undefined {
  return tool.type === 'provider' ? ofProvider(tool.id, tool.args) : undefined;
}

/** The binding of any tool of the AI SDK that the layer does not have. */
export async function foreignBinding(tool: SdkTool | undefined): Promise<string | undefined> {
  if (!tool) return;
  return bindingOf(tool) ?? ofSchema(await asSchema(tool.inputSchema).jsonSchema);
}

/** The binding of such a tool in its wire form. */
export function wireBinding(tool: WireTool | undefined): string | undefined {
  if (!tool) return;
  return tool.type === 'provider' ? ofProvider(tool.id, tool.args) : ofSchema(tool.inputSchema);
}

function ofProvider(id: unknown, args: unknown): string {
  return `p${fingerprint([id, args ?? {}])}`;
}

function ofSchema(schema: unknown): string {
  return `s${fingerprint(schema)}`;
}

/** The longest id that every provider takes (OpenAI: 40 characters in Chat Completions). */
const LONGEST = 40;

/** An id that is not used: `id`, or it with a number behind it. A call without an id gets a number too. */
export function unusedId(id: string, used: Pick<ReadonlySet<string>, 'has'>): string {
  if (id !== '' && !used.has(id)) return id;
  for (let n = id === '' ? 1 : 2; ; n++) {
    const end = `_${n}`;
    const unused = `${(id || 'call').slice(0, LONGEST - end.length)}${end}`;
    if (!used.has(unused)) return unused;
  }
}
