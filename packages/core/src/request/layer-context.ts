import { ToolfoldError } from '../errors.ts';
import type { Role, Toolbox } from '../registry/index.ts';
import type {
  AcceptedTools,
  BridgeNames,
  Limits,
  StrategyChoice,
  StrategyName,
  TokenCounter,
  Tool,
  ToolDefinition,
} from '../tool/index.ts';
import type { CallEvent } from '../transcript/index.ts';
import type { Recent } from '../values/index.ts';
import type { AutoOptions } from './auto.ts';
import type { CatalogForm } from './catalog.ts';
import type { KnownDefinitions } from './deliveries.ts';
import type { Epoch, OwnTools, RefusedTool } from './epoch.ts';
import type { ToolList } from './tool-list.ts';

/** Finds what the developer should know of: settings without effect, and tools that an endpoint refuses. */
export interface SettingsCheck {
  /** Called with the strategy that was asked for when an epoch begins. `made`: the other strategy of a stored state. */
  checkStrategy(wanted: StrategyName | 'auto', made?: string): void;
  /** Called before each request. */
  checkGlobs(): void;
  /** Warns, once for each tool, about tools that an endpoint refuses or may refuse. */
  checkDeclared(
    accepts: AcceptedTools,
    refused: readonly RefusedTool[],
    declared: readonly ToolDefinition[],
  ): void;
  /** Tools that the layer does not have, which globs may name. */
  setHostNames(names: readonly string[]): void;
  /** Adds the globs of a session. */
  addGlobs(session: {
    readonly only?: readonly string[] | undefined;
    readonly without?: readonly string[] | undefined;
  }): void;
  /** Adds names of tools that may come later. `where`: what names them. */
  addNames(where: string, names: readonly string[]): void;
}

/**
 * What the sessions of a layer share: options, tools, and the epochs and lists that they have
 * seen.
 */
export interface LayerContext {
  readonly toolbox: Toolbox;
  readonly roles: Readonly<Record<string, Role>>;
  readonly strategy: StrategyChoice;
  readonly bridgeNames: BridgeNames;
  readonly catalog: CatalogForm;
  readonly limits: Limits;
  readonly auto: AutoOptions;
  /** Overrides where own tools that nobody marked stand. Estimates compare both places. */
  readonly ownTools?: OwnTools;
  readonly countTokens: TokenCounter;
  /** In milliseconds. */
  readonly patience: number;
  readonly onToolsExpanded: (groupId: string, tools: readonly Tool[]) => void;
  readonly onCall: (event: CallEvent) => void;
  readonly warn: (text: string) => void;
  /** Warns about settings that have no effect. */
  readonly ignored: SettingsCheck;
  readonly epochs: Recent<Epoch>;
  readonly lists: Recent<ToolList>;
  readonly definitions: KnownDefinitions;
  /** Results of work that depends on its key alone. */
  readonly memo: Recent<unknown>;
}

const contexts = new WeakMap<object, LayerContext>();

/** Makes the context known to functions that are given the layer alone. */
export function keepContext<LAYER extends object>(layer: LAYER, context: LayerContext): LAYER {
  contexts.set(layer, context);
  return layer;
}

/** The context of a layer. Throws `invalid-option` for what `createToolLayer` of this copy did not make. */
export function contextOf(layer: object): LayerContext {
  const context = contexts.get(layer);
  if (context) return context;
  throw new ToolfoldError(
    'invalid-option',
    'This is not a tool layer.',
    'Pass what createToolLayer() returned, or the `layer` of a fold, itself and no copy of it.',
  );
}
