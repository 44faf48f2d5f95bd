import { asSchema, jsonSchema, type Tool as SdkTool } from 'ai';
import type { WireTool } from '../declared-tools/index.ts';

type Schema = ReturnType<typeof asSchema>;
/** The marks of all views. A tool with one of them is Toolfold's. */
const made = new WeakSet<object>();

/** Whether a wire tool belongs to a view of Toolfold. False if the app replaced the tool. */
export function isMarked(tool: WireTool | undefined): boolean {
  const mark = tool && markOf(tool);
  return mark !== undefined && made.has(mark);
}

function markOf(tool: WireTool): object | undefined {
  const mark: unknown = tool.type === 'provider' ? tool.args : tool.inputSchema;
  return typeof mark === 'object' && mark !== null ? mark : undefined;
}

type Validate = NonNullable<Schema['validate']>;
type Validated = Awaited<ReturnType<Validate>>;

const ANY_OBJECT = { type: 'object', properties: {} } as const;

/**
 * Marks the tools of one view, so that they can be recognized among the tools that the SDK sends. The
 * mark is a schema object of the view's own with the same content. A name would not do: tools of
 * another view have the same names.
 */
export class Marks {
  readonly #made = new WeakSet<object>();
  #anyObject: Schema | undefined;

  /** A copy of the tool's schema that is marked as this view's. `validate` is asked first. */
  schema(inputSchema: SdkTool['inputSchema'], validate?: Validate): Schema {
    const schema = asSchema(inputSchema);
    const both: Validate | undefined =
      validate &&
      (async (value) => {
        const found = await validate(value);
        return found.success && schema.validate ? schema.validate(value) : found;
      });
    const check = schema.validate ? both : validate;
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

  /** A schema of any object that is marked as this view's. `validate` is asked. */
  anyObject(validate?: (value: unknown) => Validated): Schema {
    this.#anyObject ??= this.schema(jsonSchema(ANY_OBJECT));
    return validate ? Object.assign(Object.create(this.#anyObject), { validate }) : this.#anyObject;
  }

  /** A copy of a provider tool's arguments that is marked as this view's. */
  args(args: object): object {
    return this.#copy(args);
  }

  /** Whether a wire tool belongs to this view. */
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
