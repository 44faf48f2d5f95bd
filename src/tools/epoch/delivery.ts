import type { ToolDefinition } from '../tool/index.ts';
import type { JsonObject } from '../values/index.ts';
/** Schemas that a request appends at one place, in strategies that append. */
export interface Delivery {
  /** They stand before the message at this index; at the tail, where it equals their number. */
  readonly position: number;
  /** What is new at this place; empty where everything stood earlier. */
  readonly tools: readonly ToolDefinition[];
  /** The call whose result brought them, and what that result says without them. */
  readonly callId?: string;
  readonly result?: JsonObject;
}
