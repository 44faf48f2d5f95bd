import type { Toolbox } from './registry/index.ts';
import type { StrategyName } from './strategies/index.ts';
import type { DeferredToolGroup } from './tool/index.ts';

/**
 * Warns, once for each group, about groups whose tool names are not known before they load. This
 * costs requests in strategies that defer. It costs nothing where all schemas are sent at once,
 * and for groups that are inline, hidden or unavailable.
 */
export class UnnamedGroups {
  readonly #strategy: StrategyName | 'auto';
  readonly #warn: (text: string) => void;
  readonly #warnedOf = new Set<string>();

  constructor(strategy: StrategyName | 'auto', warn: (text: string) => void) {
    this.#strategy = strategy;
    this.#warn = warn;
  }

  /** Call it when the groups of the toolbox have changed. */
  check(groups: readonly DeferredToolGroup[], toolbox: Toolbox): void {
    if (this.#strategy === 'eager') return;
    for (const { groupId, toolNames, toolSummaries, unavailable } of groups) {
      if (toolNames || toolSummaries || unavailable || this.#warnedOf.has(groupId)) continue;
      if (toolbox.groupPlacement(groupId) !== 'deferred') continue;
      this.#warnedOf.add(groupId);
      this.#warn(
        `group ${groupId} has no toolNames: the catalog cannot show its tools, search cannot find them, and the model has to load the group before it can call one; give toolNames, or toolSummaries, where the names are known without loading`,
      );
    }
  }
}
