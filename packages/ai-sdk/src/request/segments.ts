import { type BridgeKind, hashText } from '@toolfold/core/internal/tool';
import { schemasIn } from '@toolfold/core/internal/transcript';
import { isRecord, parsedJson } from '@toolfold/core/internal/values';
import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '../protocol/index.ts';

/** The beginning of a text that shows preloaded schemas. */
export const PRELOADED = '[Data from the application, not from the user: tools that may help here.';

/** The beginning of a text that asks for a call, and what stands before a definition in it. */
export const CALL_NOW = '[Notice from the application, not from the user: call ';
export const DEFINITION = ' Its definition: ';

/** Whether a text that Toolfold has put between the messages shows schemas. */
function showsSchemas(text: string): boolean {
  return text.startsWith(PRELOADED) || (text.startsWith(CALL_NOW) && text.includes(DEFINITION));
}

/**
 * What a segment of a request is. `inline-tools`: tools that are declared from the start. `bridge-tools`:
 * the tools of Toolfold itself. `deferred-tools`: declared for the provider, not shown to the model.
 * `system-text`: the app's system text. `catalog`: the names of the deferred tools. `loaded-schemas`:
 * schemas that came later, wherever they stand: declared, appended, in the result of a load, description or
 * search, or preloaded. `tool-results`: all other results, and files of results that stand behind them. `history`: everything else that was said, with
 * the calls of the model and Toolfold's notices.
 */
export type SegmentLabel =
  | 'inline-tools'
  | 'bridge-tools'
  | 'deferred-tools'
  | 'system-text'
  | 'catalog'
  | 'loaded-schemas'
  | 'tool-results'
  | 'history';

/** The system message that ends with the catalog. */
interface CatalogPlace {
  readonly message: LanguageModelV4Message;
  /** The app's own message, if there is one with text. */
  readonly own: LanguageModelV4Message | undefined;
  readonly text: string;
}

/** The bridge tool of a name. */
type KindOf = (toolName: string) => BridgeKind | undefined;

/** Labels of the messages and results of one request, set where they are written. */
export class Labels {
  #kindOf: KindOf;
  /** The kinds that were asked for. */
  readonly #kinds = new Map<string, BridgeKind | undefined>();
  readonly #schemas = new WeakSet<object>();
  readonly #behind = new WeakSet<object>();
  catalog: CatalogPlace | undefined;

  /** `kindOf`: the bridge tool of a name. */
  constructor(kindOf: KindOf = () => undefined) {
    this.#kindOf = kindOf;
  }

  /** Whether names still mean what they meant. */
  areOf(kindOf: KindOf | undefined): boolean {
    return kindOf !== undefined && [...this.#kinds].every(([name, kind]) => kindOf(name) === kind);
  }

  /** Labels what follows. */
  follow(kindOf: KindOf = () => undefined): void {
    this.#kindOf = kindOf;
  }

  /** Labels a text that Toolfold puts between the messages. */
  insert(message: LanguageModelV4Message, text: string): void {
    if (showsSchemas(text)) this.#schemas.add(message);
  }

  /** Labels messages that append tools; remarks among them are no schemas. */
  appended(messages: readonly LanguageModelV4Message[]): void {
    for (const message of messages) if (message.role === 'system') this.#schemas.add(message);
  }

  /** Labels a message with files of results. */
  behind(message: LanguageModelV4Message): void {
    this.#behind.add(message);
  }

  /** Labels a result. `holdsTools`: it delivers tools in the provider's form. */
  result(part: LanguageModelV4ToolResultPart, toolName: string, holdsTools: boolean): void {
    const kind = this.#kindOf(toolName);
    this.#kinds.set(toolName, kind);
    if (holdsTools || (kind && schemasIn(kind, jsonOf(part)).length > 0)) this.#schemas.add(part);
  }

  /** The label of a message, or of a part of a message with results. */
  of(value: object, role: LanguageModelV4Message['role']): SegmentLabel {
    if (this.#schemas.has(value)) return 'loaded-schemas';
    if (role === 'system') return 'system-text';
    return role === 'tool' || this.#behind.has(value) ? 'tool-results' : 'history';
  }
}

function jsonOf({ output }: LanguageModelV4ToolResultPart): unknown {
  if (output.type === 'json') return output.value;
  return output.type === 'text' ? parsedJson(output.value) : undefined;
}

/** One part of a request as the provider caches it. */
export interface Segment {
  readonly kind: 'tools' | 'system' | 'message';
  /** What it is. */
  readonly label: SegmentLabel;
  readonly tokens: number;
  /** SHA-256 of its JSON, in hex. Markers of a cache are left out of the JSON. */
  readonly hash: string;
}

/** A part of a request that becomes a segment. */
export type SegmentSource = Omit<Segment, 'hash'> & { readonly value: unknown };

/** A segment with what it is of. */
export interface Written {
  readonly segment: Segment;
  readonly value: unknown;
  /** Its JSON, if the value may have changed since. */
  readonly text: string | undefined;
}

/** Parts of a request that it would have without Toolfold too. */
const OWN: ReadonlySet<SegmentLabel> = new Set([
  'inline-tools',
  'system-text',
  'tool-results',
  'history',
]);

/** Whether a request without Toolfold would have the segment too. */
export function isOwn({ label }: Segment): boolean {
  return OWN.has(label);
}

/** Characters of a SHA-256 in hex. */
const DIGITS = 64;

/** The segment of a part. `isConstant`: nobody changes the value. */
export function writtenPart({ value, ...part }: SegmentSource, isConstant: boolean): Written {
  const text = JSON.stringify(value, plainPart);
  const segment = { ...part, hash: hashText(text, DIGITS) };
  return { segment, value, text: isConstant ? undefined : text };
}

/** The JSON of a segment. */
export function textOf({ value, text }: Written): string {
  return text ?? JSON.stringify(value, plainPart);
}

interface SegmentRun<T> {
  readonly label: SegmentLabel;
  tokens: number;
  readonly values: T[];
}

/** Neighbours with the same label, together. */
export function runsOf<T>(
  labelled: readonly { value: T; label: SegmentLabel; tokens: number }[],
): readonly SegmentRun<T>[] {
  const runs: SegmentRun<T>[] = [];
  for (const { value, label, tokens } of labelled) {
    const last = runs.at(-1);
    if (last?.label === label) {
      last.values.push(value);
      last.tokens += tokens;
    } else runs.push({ label, tokens, values: [value] });
  }
  return runs;
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

/**
 * Leaves out `cacheControl`: the place of a marker is not part of what is cached. Bytes become a text,
 * because JSON would list them one by one.
 */
function plainPart(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // Buffers convert themselves before they get here.
  const raw = this[key];
  if (raw instanceof Uint8Array) return new TextDecoder('latin1').decode(raw);
  if (key !== 'providerOptions' || !isRecord(value)) return value;
  const others = Object.entries(value).flatMap(([provider, options]) => {
    if (!isRecord(options)) return [[provider, options]];
    const { cacheControl: _, cache_control: __, ...rest } = options;
    return Object.keys(rest).length > 0 ? [[provider, rest]] : [];
  });
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}
