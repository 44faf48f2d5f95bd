import { ToolfoldError } from '../../errors.ts';
import { bridge } from './bridge.ts';
import { dispatch } from './dispatch.ts';
import { eager } from './eager.ts';
import { inject } from './inject.ts';
import { lazy } from './lazy.ts';
import { native } from './native.ts';
import type { Strategy, StrategyName } from './strategy.ts';

/** The one table of strategies. To add one: a file in `strategies/`, its name in `StrategyName`, a line here. */
export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  eager,
  lazy,
  inject,
  dispatch,
  bridge,
  native,
};

/** What stands in where an endpoint takes no tools in mid-conversation: it asks nothing of a provider. */
export const FALLBACK: StrategyName = 'dispatch';

/** A strategy by name; `auto` chooses per epoch, `false` is the off switch and means `eager`. */
export type StrategyChoice = StrategyName | 'auto' | false;

export const strategyNames: readonly string[] = [...Object.keys(strategies), 'auto'];

/** What a choice asks for; throws `invalid-option` for what is no strategy. */
export function wantedStrategy(choice: unknown): StrategyName | 'auto' {
  if (choice === false) return 'eager';
  if (choice === 'auto' || isStrategyName(choice)) return choice;
  throw new ToolfoldError(
    'invalid-option',
    `"${String(choice)}" is not a strategy.`,
    `Use one of ${strategyNames.join(', ')}, or false.`,
  );
}

export function isStrategyName(name: unknown): name is StrategyName {
  return typeof name === 'string' && Object.hasOwn(strategies, name);
}
