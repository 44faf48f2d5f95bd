import type { ApprovalAnswer } from '@toolfold/agent';
import type { CallVerdict } from '@toolfold/ai-sdk';
import type { Scenario, World } from '../scenario.ts';
import { direct } from './dialect.ts';

const done = { text: 'Done.' };

/** What the user says of a call, by its number. */
type Says = (n: number) => ApprovalAnswer;

/** Approvals of a user who says this. Each question is recorded. */
const asking = ({ ran }: World, says: Says) => ({
  mode: 'always' as const,
  ask: async ({ arguments: given }: { arguments: unknown }) => {
    const { n } = given as { n: number };
    ran.push(`asked:${n}`);
    return says(n);
  },
});

/** A hook that decides by the number of a call. */
const hook = (verdict: (n: number) => CallVerdict | undefined) => ({
  beforeToolCall: ({ arguments: given }: { arguments: unknown }) =>
    verdict((given as { n: number }).n),
});

/** Calls that the user or a hook decides about. */
export const APPROVALS: readonly Scenario[] = [
  {
    name: 'asked-for-the-session',
    format: 'chat',
    options: (world) => ({
      strategy: 'eager',
      approvals: asking(world, () => ({ approved: true, scope: 'session' })),
    }),
    next: [{ calls: [direct('add', 8), direct('send', 9)] }],
    script: [{ calls: [direct('add', 1)] }, { calls: [direct('add', 2)] }, done],
  },
  {
    name: 'hook-asks-pending',
    format: 'compatible',
    options: () => ({
      strategy: 'eager',
      hooks: hook(() => ({ ask: true })),
      approvals: { mode: 'never' },
    }),
    script: [{ reasoning: 'Hm.', calls: [direct('send', 1), direct('read', 2)] }],
  },
];
