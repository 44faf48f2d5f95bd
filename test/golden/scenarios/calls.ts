import type { Scenario } from '../scenario.ts';
import { bridged, direct, dispatched, load } from './dialect.ts';

const done = { text: 'Done.' };

/** Answers and calls of all kinds, without anybody who interferes. */
export const CALLS: readonly Scenario[] = [
  {
    name: 'reasoning',
    options: () => ({ strategy: 'eager' }),
    script: [
      { reasoning: 'I read first.', text: 'Reading.', calls: [direct('read', 1)] },
      { reasoning: 'Enough.', text: 'Done.' },
    ],
  },
  {
    name: 'parallel-calls',
    hasOddTools: true,
    script: [
      {
        text: 'All at once.',
        calls: [dispatched('read', 1), dispatched('add', 2), dispatched('fail', 3)],
      },
      done,
    ],
  },
  {
    name: 'bridge',
    format: 'responses',
    options: () => ({ strategy: 'bridge' }),
    script: [{ text: 'One.', calls: [bridged('add', 1), bridged('read', 2)] }, done],
  },
  {
    name: 'native',
    modelId: 'claude-opus-5-5',
    options: () => ({
      strategy: 'native',
      capabilities: [{ provider: '*', model: '*', forms: ['anthropic-inline'] }],
    }),
    script: [{ calls: [load('add')] }, { calls: [direct('add', 1)] }, done],
  },
  {
    name: 'native-search',
    format: 'responses',
    modelId: 'gpt-5.6',
    options: () => ({
      strategy: 'native',
      capabilities: [{ provider: '*', model: '*', forms: ['openai-search'] }],
      settings: { maxRetries: 0, providerOptions: { openai: { store: false } } },
    }),
    script: [
      { reasoning: 'Search.', calls: [{ ...load('add'), name: 'tool_search' }] },
      { calls: [direct('add', 1)] },
      done,
    ],
  },
  {
    name: 'system-tools',
    format: 'compatible',
    modelId: 'kimi-k3',
    options: () => ({
      strategy: 'native',
      capabilities: [{ provider: '*', model: '*', forms: ['system-tools'] }],
    }),
    script: [{ calls: [load('add')] }, { calls: [direct('add', 1)] }, done],
  },
  {
    name: 'lazy',
    format: 'compatible',
    options: () => ({ strategy: 'lazy' }),
    script: [{ reasoning: 'Load it.', calls: [load('add')] }, { calls: [direct('add', 1)] }, done],
  },
  {
    name: 'inject',
    format: 'chat',
    options: () => ({ strategy: 'inject' }),
    script: [{ calls: [load('add')] }, { calls: [direct('add', 1)] }, done],
  },
];
