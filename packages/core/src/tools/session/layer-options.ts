import type { AutoOptions, CatalogForm } from '../epoch/index.ts';
import type { ExposureRules, LoaderCache, Role } from '../registry/index.ts';
import type { ToolSearch } from '../search/index.ts';
import type { BridgeNames, StrategyChoice } from '../strategies/index.ts';
import type { Limits } from '../tokens/index.ts';
import type { DeferredToolGroup, TokenCounter, Tool } from '../tool/index.ts';
import type { CallEvent } from '../transcript/index.ts';
export interface ToolLayerOptions {
  /** The app's own tools, in the order in which they are declared. */
  readonly tools?: readonly Tool[] | undefined;
  readonly groups?: readonly DeferredToolGroup[] | undefined;
  readonly roles?: Readonly<Record<string, Role>> | undefined;
  /** `auto` if left out; `false` is `eager`, the off switch. */
  readonly strategy?: StrategyChoice | undefined;
  /** Rules by glob; see `matchesTool`. The last rule that matches a tool wins. */
  readonly exposure?: ExposureRules | undefined;
  readonly catalog?: CatalogForm | undefined;
  /**
   * Replaces the built-in search, whose code is then not loaded: any object with `index` and `search`.
   * A function loads it once, when somebody searches; if it rejects, that search fails and the next one
   * tries again. Left out, a layer compares words; a fold compares words and word vectors, and
   * `lexical()` of `@toolfold/core/search` makes it compare words alone. Without `scale`, nothing is preloaded.
   */
  readonly search?: ToolSearch | (() => Promise<ToolSearch>) | undefined;
  /**
   * An exact counter for the model. An estimate of o200k tokens if left out. A fold throws
   * `invalid-option` when it is first used and returns no finite number.
   */
  readonly countTokens?: TokenCounter | undefined;
  /** Other names for bridge tools. */
  readonly names?: BridgeNames | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** The assumptions of `auto` about tasks and prices. */
  readonly auto?: Partial<AutoOptions> | undefined;
  readonly loaderCache?: LoaderCache | undefined;
  /**
   * How long the first request waits for loaders, in milliseconds, in forms of `native` that declare
   * all schemas. Tools that load later are added later. 5,000 if left out.
   */
  readonly patience?: number | undefined;
  /** Called with tools that the model has newly loaded. Must not throw; a fold reports a failure once as a warning. */
  readonly onToolsExpanded?: ((groupId: string, tools: readonly Tool[]) => void) | undefined;
  /** One event for every call that is routed, whether it runs or not. Must not throw; a fold reports a failure once as a warning. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  /**
   * Called with warnings for the developer: settings without effect, schemas that cannot be checked,
   * loaders that fail early. `false` silences them.
   */
  readonly onWarning?: ((text: string) => void) | false | undefined;
}
