import { createRecall } from 'toolfold/agent';
import {
  exportSession,
  forkSession,
  importSession,
  memoryStore,
  openSession,
} from 'toolfold/sessions';
import type { Scenario } from '../scenario.ts';
import { workGroup } from '../tools.ts';
import { direct, dispatched, load } from './dialect.ts';
import { resultGroup } from './result-group.ts';

const done = { text: 'Done.' };
const recalled = {
  name: Object.keys(createRecall().tools)[0] ?? '',
  arguments: { id: 'toolu_1', limit: 200 },
};

/** Conversations that change: their settings, their length, their place. */
export const CHANGED: readonly Scenario[] = [
  {
    name: 'tools-off-and-on',
    options: () => ({ strategy: 'eager' }),
    script: [done, { text: 'No tools.' }, { calls: [direct('add', 1)] }, done],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      talk.setTools(false);
      await read(talk.send('Without.'));
      talk.setTools(true);
      await read(talk.send('With.'));
    },
  },
  {
    name: 'tools-off',
    format: 'responses',
    options: () => ({ strategy: 'eager' }),
    next: [{ calls: [direct('add', 9)] }],
    script: [{ calls: [direct('add', 1)] }, done, { calls: [direct('add', 2)] }, done],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      talk.setTools(false);
      await read(talk.send('Without.'));
    },
  },
  {
    name: 'role-and-model-changed',
    options: () => ({
      roles: { reader: { tools: ['mcp:work/read', 'mcp:work/set'] } },
      models: { 'claude-sonnet-4-5': { price: { input: 3, output: 15 } } },
    }),
    next: [{ calls: [dispatched('add', 8), dispatched('read', 9)] }],
    script: [
      { calls: [load('read')] },
      { calls: [dispatched('add', 1)] },
      done,
      { calls: [dispatched('add', 2), dispatched('read', 3)] },
      done,
    ],
    play: async ({ talk, read, model }) => {
      await read(talk.send('Go.'));
      talk.configure({ role: 'reader', model: model('claude-haiku-4-5'), strategy: 'bridge' });
      await read(talk.send('On.'));
    },
  },
  {
    name: 'tools-added-later',
    options: (world) => ({ groups: [workGroup(world, { hasOddTools: !world.isPlayed })] }),
    next: [{ calls: [load('fail')] }],
    script: [{ calls: [load('add')] }, done],
  },
  {
    name: 'tools-described-otherwise-later',
    options: (world) => ({
      strategy: 'eager',
      groups: [workGroup(world, world.isPlayed ? {} : { remark: ' It has changed.' })],
    }),
    script: [{ calls: [direct('add', 1)] }, done],
  },
  {
    name: 'system-prompt-by-a-hook',
    options: (world) => ({
      strategy: 'eager',
      hooks: {
        transformSystemPrompt: (text) => `${text} ${world.isPlayed ? 'First.' : 'Later.'}`,
      },
    }),
    script: [done],
  },
  {
    name: 'preload',
    options: () => ({ routing: 'preload' }),
    script: [{ calls: [dispatched('send', 1)] }, done],
    play: async ({ talk, read }) => {
      await read(talk.send('Use the tool send to send it.'));
    },
  },
  {
    name: 'compacted',
    options: (world) => ({ groups: [resultGroup(world)] }),
    next: [{ calls: [recalled] }],
    script: [
      { calls: [{ name: 'deferred_tool_call', arguments: { tool_name: 'results__long' } }] },
      { text: 'Read.' },
      { text: 'They read numbers.' },
      { calls: [{ ...recalled, id: 'toolu_9' }] },
      done,
    ],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      await read(talk.compact());
      await read(talk.send('Read it again.'));
    },
    isCut: true,
  },
  {
    name: 'compacted-by-the-window',
    format: 'chat',
    options: (world) => ({
      groups: [resultGroup(world)],
      models: { 'gpt-4.1': { contextWindow: 10_000 } },
    }),
    script: [
      { calls: [{ name: 'deferred_tool_call', arguments: { tool_name: 'results__long' } }] },
      { text: 'They read numbers.' },
      done,
      { text: 'Nothing more.' },
    ],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      await read(talk.send('And?'));
    },
  },
  {
    name: 'fork',
    options: () => ({ strategy: 'eager' }),
    script: [{ calls: [direct('add', 1)] }, done, { text: 'One way.' }, { text: 'Another.' }],
    play: async ({ talk, session, read, reopen }) => {
      await read(talk.send('Go.'));
      const at = session.record.seq;
      await read(talk.send('This way.'));
      const fork = await forkSession(session, at);
      const other = await reopen({ session: fork });
      await read(other.send('That way.'));
      return fork;
    },
  },
  {
    name: 'imported',
    options: () => ({ strategy: 'eager', approvals: { mode: 'always' } }),
    next: [{ calls: [direct('add', 8)] }],
    script: [{ calls: [direct('add', 1)] }, { calls: [direct('send', 2)] }, { text: 'It waits.' }],
    play: async ({ talk, session, read, reopen }) => {
      await read(talk.send('Go.'));
      const [asked] = talk.pending;
      const answer = { approved: true, scope: 'session' } as const;
      if (asked) await read(talk.answer({ [asked.approvalId]: answer }));
      const store = memoryStore();
      await importSession(store, exportSession(await openSession(session.store, session.id)));
      const [record] = await store.list();
      const imported = await openSession(store, record?.id ?? '');
      const other = await reopen({ session: imported });
      await read(other.send('What now?'));
      return imported;
    },
    isCut: true,
  },
  {
    name: 'imported-pending',
    options: () => ({ strategy: 'eager', approvals: { mode: 'always' } }),
    script: [{ calls: [direct('add', 1)] }],
    play: async ({ talk, session, read }) => {
      await read(talk.send('Go.'));
      const store = memoryStore();
      await importSession(store, exportSession(await openSession(session.store, session.id)));
      const [record] = await store.list();
      return openSession(store, record?.id ?? '');
    },
  },
  {
    name: 'quick-question-and-label',
    options: () => ({ strategy: 'eager' }),
    script: [done, { text: 'Beside it.' }],
    play: async ({ talk, session, read }) => {
      await read(talk.send('Go.'));
      await talk.ask('By the way?');
      await session.begin({ onMessage: () => {}, onLost: () => {} });
      await session.append([{ kind: 'label', body: { text: 'A label.' } }]);
      await session.end();
    },
  },
];
