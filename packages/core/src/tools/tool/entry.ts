import type { JsonObject } from '../values/index.ts';
import type { Exposure, Tool } from './tool.ts';
/** A tool the layer knows of, loaded or not. */
export interface Entry {
  /** The canonical name: on the wire, in hooks, logs and results. */
  readonly name: string;
  /** The name its owner gave it. */
  readonly bare: string;
  /** The name shown under its group: the bare one where that is legal. */
  readonly shown: string;
  readonly groupId: string | undefined;
  readonly description: string | undefined;
  readonly meta: JsonObject | undefined;
  /** The exposure that its owner wants, as far as it is known before loading. */
  readonly exposure: Exposure | undefined;
  /** The app's own tool. A tool of a group is found among the loaded ones. */
  readonly appTool: Tool | undefined;
}
