import type { ToolDefinition } from '../tool/index.ts';
import type { JsonObject } from '../values/index.ts';
/** Schemas that a request appends at one place, in strategies that append. */
export interface Delivery {
  /**
   * They stand before the message at this index, or at the tail if it equals the number of
   * messages.
   */
  readonly position: number;
  /** The definitions that are new here; empty if all of them stand earlier. */
  readonly tools: readonly ToolDefinition[];
  /** The call whose result holds the schemas, and that result without them. */
  readonly callId?: string;
  readonly result?: JsonObject;
}
