/** The types of the agent that a state holds. */
import type { WireQuestion, WireState } from 'toolfold/internal/web-wire';

export type ScreenTurn = WireState['turns'][number];
export type ScreenBlock = ScreenTurn['blocks'][number];
export type ScreenCall = Extract<ScreenBlock, { kind: 'call' }>;
export type ScreenChild = ScreenCall['children'][number];
export type FormField = NonNullable<WireQuestion['fields']>[number];
