import { type StrategyChoice, strategyNames } from '../../tools/strategies/index.ts';
import * as z from '../schemas/index.ts';

/** A strategy's name; `false` in a file becomes `eager`. */
export type StrategySetting = Exclude<StrategyChoice, false>;

const expected = `one of ${strategyNames.join(', ')}, or false`;

export const strategy: z.ZodMiniType<StrategySetting> = z.union(
  [
    z.enum(strategyNames as readonly StrategySetting[]),
    z.pipe(
      z.literal(false),
      z.transform((): StrategySetting => 'eager'),
    ),
  ],
  expected,
);
