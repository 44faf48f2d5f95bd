import type { KnownPrices, ToolState } from '../epoch/index.ts';
import type { AcceptedTools, AppendForm, StrategyChoice } from '../strategies/index.ts';
export interface SessionOptions {
  readonly role?: string;
  /** Globs that narrow the role. Other globs begin another epoch. */
  readonly only?: readonly string[];
  /** Globs of tools that are denied to the role. Other globs begin another epoch. */
  readonly without?: readonly string[];
  /** The model. It decides the names of bridge tools. A change of model begins a new epoch. */
  readonly modelId?: string;
  /** In tokens. */
  readonly contextWindow?: number;
  /** Overrides the option of the layer. */
  readonly strategy?: StrategyChoice;
  /** How the endpoint accepts tools in mid-conversation. If left out, `auto` does not choose `native`. */
  readonly append?: AppendForm;
  /**
   * Why the endpoint accepts no tools in mid-conversation. `native` then becomes `dispatch`
   * and says so.
   */
  readonly appendRefused?: string;
  /**
   * What the endpoint accepts among declared tools. A tool that it would refuse is called through a
   * dispatcher, or left out where the strategy has none. Ignored by `strategy: false`.
   */
  readonly accepts?: AcceptedTools;
  /** The prices of the model's cache, or `unknown`. The layer's `auto.prices` if left out. */
  readonly prices?: KnownPrices;
  /** An earlier result of `state()`. */
  readonly state?: ToolState;
  /** What to do if the state was made under another strategy. The default is an error. */
  readonly onMismatch?: 'error' | 'new-epoch';
}
