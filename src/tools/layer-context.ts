import type { AutoOptions } from './auto.ts';
import type { BridgeNames } from './bridges.ts';
import type { CatalogOptions } from './catalog.ts';
import type { Epoch } from './epoch.ts';
import type { KnownDefinitions } from './known-definitions.ts';
import type { Recent } from './recent.ts';
import type { Limits } from './scope.ts';
import type { StrategyChoice } from './strategy.ts';
import type { TokenCounter, Tool } from './tool.ts';
import type { ToolList } from './tool-list.ts';
import type { Toolbox } from './toolbox.ts';
import type { CallEvent } from './turn.ts';
import type { Role } from './view.ts';

/** What all sessions of a layer share: options, tools, and the epochs and lists they have seen. */
export interface LayerContext {
  readonly toolbox: Toolbox;
  readonly roles: Readonly<Record<string, Role>>;
  readonly strategy: Exclude<StrategyChoice, false>;
  readonly bridgeNames: BridgeNames;
  readonly catalog: CatalogOptions;
  readonly limits: Limits;
  readonly auto: AutoOptions;
  readonly countTokens: TokenCounter;
  /** In milliseconds. */
  readonly patience: number;
  readonly onToolsExpanded: (groupId: string, tools: readonly Tool[]) => void;
  readonly onCall: (event: CallEvent) => void;
  readonly warn: (text: string) => void;
  readonly epochs: Recent<Epoch>;
  readonly lists: Recent<ToolList>;
  readonly definitions: KnownDefinitions;
  /** Results of work that depends on its key alone. */
  readonly memo: Recent<unknown>;
}
