import type { ToolDocument } from '../../packages/core/src/search.ts';

/** The keys of the best tools, the best first, and the milliseconds where the caller cannot measure them. */
export interface Ranked {
  readonly keys: readonly string[];
  readonly ms?: number;
}

/** An index over tools. */
export interface Index {
  search(query: string, limit: number): Ranked | Promise<Ranked>;
  /** Bytes outside the heap of JavaScript. */
  bytes?(): number;
  close?(): void;
}

/** A way to search tools. */
export interface Method {
  /** The word on the command line. */
  readonly id: string;
  readonly title: string;
  readonly isOurs: boolean;
  index(tools: readonly ToolDocument[]): Index | Promise<Index>;
}
