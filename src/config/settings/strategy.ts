import { z } from 'zod';
import { type StrategyChoice, strategyNames } from '../../tools/strategies/index.ts';

/** A strategy's name; `false` in a file becomes `eager`. */
export type StrategySetting = Exclude<StrategyChoice, false>;

const expected = `one of ${strategyNames.join(', ')}, or false`;

export const strategy: z.ZodType<StrategySetting> = z.union(
  [
    z.enum(strategyNames as readonly StrategySetting[]),
    z.literal(false).transform((): StrategySetting => 'eager'),
  ],
  expected,
);
