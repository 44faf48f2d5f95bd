import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, NATIVE_ENDPOINTS } from '../ai-sdk/endpoints.test-support.ts';
import {
  BRIDGE,
  DISPATCH,
  type Dialect,
  NATIVE,
  SCENARIOS,
} from '../ai-sdk/scenarios.test-support.ts';
import { type Reply, startModelServer } from '../testing/index.ts';
import { begin, collect, type World } from './agent.test-support.ts';
import { Sessions } from './rebuilt-screen.test-support.ts';

type Way = readonly [name: string, dialect: Dialect, world: World];

const WAYS: readonly Way[] = [
  ...ENDPOINTS.flatMap((endpoint): Way[] => [
    [`dispatch, ${endpoint.name}`, DISPATCH, { endpoint, fold: { strategy: 'dispatch' } }],
    [`bridge, ${endpoint.name}`, BRIDGE, { endpoint, fold: { strategy: 'bridge' } }],
    [`eager, ${endpoint.name}`, NATIVE, { endpoint, fold: { strategy: 'eager' } }],
  ]),
  ...NATIVE_ENDPOINTS.map((endpoint): Way => {
    const { capabilities, settings } = endpoint;
    const fold = { strategy: 'native', capabilities } as const;
    return [
      `native, ${endpoint.name}`,
      NATIVE,
      { endpoint, fold, agent: settings ? { settings } : {} },
    ];
  }),
];

describe('a screen rebuilt from the journal alone equals the one that was live', () => {
  for (const [name, dialect, world] of WAYS)
    test(`in each scenario: ${name}`, async () => {
      await using sessions = new Sessions();
      for (const scenario of SCENARIOS) {
        if (scenario.dispatches && !/dispatch|bridge/.test(name)) continue;
        const script: Reply[] = [...scenario.replies(dialect), { text: 'Done.' }];
        await using server = await startModelServer({ script });
        const session = await sessions.create();
        const agent = { ...world.agent, session };
        const { talk } = begin(server, { ...world, agent });
        const events = await collect(talk.send('Go.'));
        await sessions.assertRebuilt(session.id, events, scenario.name);
        const kinds = (await sessions.entries(session.id)).map(({ kind }) => kind);
        const extra = kinds.filter((kind) => kind === 'messages').length;
        if (extra > 0) console.log(name, '|', scenario.name, extra);
        const evs = (await sessions.entries(session.id))
          .flatMap(({ kind, body }) => (kind === 'event' ? [(body as any).event.type] : []))
          .filter((t) => /call|result|failure/.test(t));
        if (evs.length > 0) console.log('   events', name, '|', scenario.name, evs.join(' '));
      }
    });
});
assert.ok(true);
