/** Limits, in tokens, of what one answer shows a model. */
export interface Limits {
  /**
   * The schemas of one `load_tools` or `tool_describe`. A single schema is whole up to twice
   * this limit.
   */
  readonly load: number;
  /** The schemas among the hits of one `tool_search`. Hits without a schema have a signature. */
  readonly search: number;
  /** The schemas that one `tool_search` appends to the request, in strategies that append schemas. */
  readonly append: number;
  /** A schema echoed in an error. */
  readonly schema: number;
}

export const DEFAULT_LIMITS: Limits = { load: 20_000, search: 200, append: 4_000, schema: 4_000 };

/** Characters of a tool's result that an agent shows its model by default: some 25,000 tokens. */
export const RESULT_LENGTH = 100_000;

/** The lowest limit of that: fewer characters of a result say nothing. */
export const MIN_RESULT_LENGTH = 100;
