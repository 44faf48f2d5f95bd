import type { CachePrices } from '../cost/index.ts';
import type { ToolState } from '../epoch/index.ts';
import type { AppendForm, StrategyChoice } from '../strategies/index.ts';
export interface SessionOptions {
  readonly role?: string;
  /** Globs of tools: the role is narrowed to these; other globs, another epoch. */
  readonly only?: readonly string[];
  /** Globs of tools that the role is denied; other globs, another epoch. */
  readonly without?: readonly string[];
  /** Decides names of bridge tools; a change of model begins a new epoch. */
  readonly modelId?: string;
  /** In tokens. */
  readonly contextWindow?: number;
  /** Overrides the layer's. */
  readonly strategy?: StrategyChoice;
  /** How the endpoint takes tools in mid-conversation; left out, `auto` does not choose `native`. */
  readonly append?: AppendForm;
  /** Why it takes none, where that is known: `native` becomes `dispatch`, and says so. */
  readonly appendRefused?: string;
  /** What the model's provider charges for its cache; the layer's `auto.prices` if left out. */
  readonly prices?: CachePrices;
  /** What `state()` gave earlier. */
  readonly state?: ToolState;
  /** What to do where the state was made under another strategy; an error by default. */
  readonly onMismatch?: 'error' | 'new-epoch';
}
