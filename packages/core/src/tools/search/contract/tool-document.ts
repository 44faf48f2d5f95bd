/** The text of a tool for search. `key` belongs to the caller and is returned in hits. */
export interface ToolDocument {
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
}
