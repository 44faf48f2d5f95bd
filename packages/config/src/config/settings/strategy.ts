import { type StrategyChoice, strategyNames } from '@toolfold/core/internal/tools/strategies';
import * as z from '../schemas/index.ts';

/** A strategy's name, or `false`, which changes nothing of what is sent. */
export type StrategySetting = StrategyChoice;

const expected = `one of ${strategyNames.join(', ')}, or false`;

export const strategy: z.ZodMiniType<StrategySetting> = z.union(
  [z.enum(strategyNames as readonly Exclude<StrategySetting, false>[]), z.literal(false)],
  expected,
);
