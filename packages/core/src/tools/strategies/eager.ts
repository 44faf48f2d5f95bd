import type { Strategy } from './strategy.ts';

/** Everything declared: what an agent without Toolfold does, and the off switch. */
export const eager: Strategy = {
  name: 'eager',
  summary: 'every schema in every request',
  keepsPrefix: true,
  defers: 'nothing',
  delivers: 'tools',
  bridges: () => [],
  hints: 'where they fit',
  guidance: () => '',
};
