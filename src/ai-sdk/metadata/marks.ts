import { asSchema, jsonSchema, type Tool as SdkTool } from 'ai';
import type { WireTool } from '../wire/index.ts';

type Schema = ReturnType<typeof asSchema>;
/** What any view has made: a tool that carries one is Toolfold's. */
const made = new WeakSet<object>();

/** Whether a tool as it is sent is some view's, and not one that the app put in its place. */
export function isMarked(tool: WireTool | undefined): boolean {
  const mark = tool && markOf(tool);
  return mark !== undefined && made.has(mark);
}

function markOf(tool: WireTool): object | undefined {
  const mark: unknown = tool.type === 'provider' ? tool.args : tool.inputSchema;
  return typeof mark === 'object' && mark !== null ? mark : undefined;
}

type Validate = NonNullable<Schema['validate']>;

/**
 * Tells a view's own tools among those that the SDK sends: each of them has a schema object of the
 * view's own, with the same bytes. By name alone they could be another view's.
 */
export class Marks {
  readonly #made = new WeakSet<object>();

  /** The schema of a tool, as this view's own. */
  schema(inputSchema: SdkTool['inputSchema'], validate?: Validate): Schema {
    const schema = asSchema(inputSchema);
    const check = schema.validate ?? validate;
    return jsonSchema(
      () => {
        const described = schema.jsonSchema as object | PromiseLike<object>;
        return 'then' in described && typeof described.then === 'function'
          ? (described.then((value: object) => this.#copy(value)) as never)
          : (this.#copy(described) as never);
      },
      check ? { validate: check } : {},
    );
  }

  /** What configures a provider's own tool, as this view's own. */
  args(args: object): object {
    return this.#copy(args);
  }

  has(tool: WireTool): boolean {
    const mark = markOf(tool);
    return mark !== undefined && this.#made.has(mark);
  }

  #copy<T extends object>(value: T): T {
    const copy = { ...value };
    this.#made.add(copy);
    made.add(copy);
    return copy;
  }
}
