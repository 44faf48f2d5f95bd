import type { BridgeKind } from '@toolfold/core/internal/tools/strategies';
import { schemasIn } from '@toolfold/core/internal/tools/transcript';
import { parsedJson } from '@toolfold/core/internal/tools/values';
import type {
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '../../protocol/index.ts';
import { showsSchemas } from './schema-texts.ts';

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
export interface CatalogPlace {
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
