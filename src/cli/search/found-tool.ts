import type { ToolDocument } from '../../tools/search/index.ts';

/** A tool to search. `id` is unique: that of a file, or `group/name`. */
export interface FoundTool extends Omit<ToolDocument, 'key'> {
  readonly id: string;
  readonly description: string;
  /** The name with which `toolfold call` calls it; absent for a tool of a file. */
  readonly call?: string;
}
