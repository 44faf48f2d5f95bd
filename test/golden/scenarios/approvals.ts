import type { ApprovalAnswer } from 'toolfold/agent';
import type { CallVerdict } from 'toolfold/ai-sdk';
import type { Scenario, World } from '../scenario.ts';
import { workGroup } from '../tools.ts';
import { bridged, direct, dispatched } from './dialect.ts';

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
    name: 'asked',
    options: (world) => ({
      approvals: asking(world, (n) =>
        n === 2 ? { approved: false, reason: 'Not that one.' } : { approved: true },
      ),
    }),
    script: [
      { text: 'May I?', calls: [dispatched('add', 1), dispatched('send', 2)] },
      { calls: [dispatched('send', 3)] },
      done,
    ],
    isCut: true,
  },
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
    name: 'asked-for-a-changed-tool',
    options: (world) => ({
      groups: [workGroup(world, world.isPlayed ? {} : { remark: ' It has changed.' })],
      approvals: { mode: 'always' },
    }),
    next: [{ calls: [dispatched('add', 8)] }],
    script: [
      { calls: [dispatched('add', 1)] },
      { calls: [dispatched('add', 2), dispatched('send', 3)] },
    ],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      const [first] = talk.pending;
      if (first)
        await read(talk.answer({ [first.approvalId]: { approved: true, scope: 'session' } }));
    },
  },
  {
    name: 'pending',
    format: 'responses',
    options: () => ({ strategy: 'bridge', approvals: { mode: 'always' } }),
    script: [{ text: 'May I?', calls: [bridged('add', 1)] }],
  },
  {
    name: 'two-pending',
    options: () => ({ strategy: 'eager', approvals: { mode: 'always', allow: ['work__read'] } }),
    next: [{ calls: [direct('add', 8)] }],
    script: [
      {
        reasoning: 'Two letters.',
        calls: [direct('read', 1), direct('send', 2), direct('send', 3), direct('add', 4)],
      },
    ],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      const [first] = talk.pending;
      if (first) await read(talk.answer({ [first.approvalId]: { approved: true } }));
    },
    isCut: true,
  },
  {
    name: 'pending-then-answered',
    options: () => ({ approvals: { mode: 'always' } }),
    script: [{ calls: [dispatched('add', 1), dispatched('send', 2)] }, done],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      const denied = { approved: false, reason: 'No.' };
      const answers = talk.pending.map(
        ({ approvalId }, at) => [approvalId, at === 0 ? { approved: true } : denied] as const,
      );
      await read(talk.answer(Object.fromEntries(answers)));
    },
    isCut: true,
  },
  {
    name: 'pending-then-another-message',
    options: () => ({ strategy: 'eager', approvals: { mode: 'always' } }),
    script: [{ calls: [direct('add', 1)] }, { text: 'Well.' }],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      await read(talk.send('Never mind.', { id: 'message-2' }));
    },
  },
  {
    name: 'hook-denies',
    options: () => ({
      strategy: 'eager',
      hooks: hook((n) => (n === 1 ? { deny: 'Policy.' } : { arguments: { n: 7 } })),
    }),
    script: [{ calls: [direct('add', 1), direct('send', 2)] }, done],
  },
  {
    name: 'hook-asks',
    options: (world) => ({
      strategy: 'eager',
      hooks: hook((n) => (n < 4 ? { ask: true, askKey: 'letters' } : { ask: true })),
      approvals: {
        ...asking(world, (n) => ({ approved: true, ...(n === 1 ? { scope: 'session' } : {}) })),
        mode: 'never',
      },
    }),
    next: [{ calls: [direct('send', 3), direct('send', 9)] }],
    script: [
      { calls: [direct('send', 1)] },
      { calls: [direct('send', 2)] },
      { calls: [direct('send', 4)] },
      done,
    ],
    isCut: true,
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
