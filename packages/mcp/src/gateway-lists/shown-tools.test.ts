import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ExposureRules } from '@toolfold/core/internal/registry/view.ts';
import type { RawClient } from '../../test/gateway/raw-client.test-support.ts';
import {
  fixtureEntry,
  openClient,
  openDirect,
  openGateway,
  type Way,
} from '../../test/gateway/scene.test-support.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ServerEntry } from '../index.ts';

const limited = { timeout: 60_000 };
const ERAS = ['legacy', 'modern'] as const;

interface Scene {
  readonly fixture: ServerEntry;
  readonly gateway: Gateway;
  readonly client: RawClient;
}

async function open(
  context: TestContext,
  exposure: ExposureRules,
  era: 'legacy' | 'modern' = 'legacy',
  way: Way = 'stdio',
): Promise<Scene> {
  const fixture = await fixtureEntry(context, era);
  const settings = { exposure };
  const gateway = openGateway(context, { fixture }, { mode: 'passthrough', settings });
  return { fixture, gateway, client: await openClient(context, gateway, way, { era }) };
}

async function namesOf(client: RawClient): Promise<readonly string[]> {
  const { result } = await client.request('tools/list');
  return ((result?.tools ?? []) as { name: string }[]).map(({ name }) => name);
}

test(
  'promise 74: passthrough neither lists nor calls a hidden tool, and the rest stays as it is',
  limited,
  async (context) => {
    for (const era of ERAS) {
      const direct = await openDirect(context, { era });
      const all = await namesOf(direct);
      for (const rule of ['fixture__count*', 'mcp:fixture/count*'])
        for (const way of ['stdio', 'http'] as const) {
          const { client } = await open(context, { [rule]: 'hidden' }, era, way);
          assert.deepEqual(
            await namesOf(client),
            all.filter((name) => name !== 'count'),
          );
          for (const name of ['count', ['count']])
            assert.deepEqual(await client.request('tools/call', { name }), {
              error: { code: -32602, message: 'Unknown tool: count' },
            });
          const [passed, given] = [await client.call('odd'), await direct.call('odd')];
          assert.equal(JSON.stringify(passed), JSON.stringify(given));
        }
      const { client } = await open(context, { fixture__none: 'hidden' }, era);
      const lists = [await client.request('tools/list'), await direct.request('tools/list')];
      assert.equal(JSON.stringify(lists[0]), JSON.stringify(lists[1]));
      assert.equal((await client.call('count')).error, undefined);
    }
  },
);

test(
  'passthrough serves no server that was removed, and tells of another one',
  limited,
  async (context) => {
    const { fixture, gateway, client } = await open(context, {});
    await client.call('count');
    for (const name of ['other', 'fixture']) {
      await gateway.update({ servers: new Map(), settings: undefined });
      await client.notice('notifications/tools/list_changed');
      for (const method of ['tools/call', 'tools/list'])
        assert.deepEqual(await client.request(method, { name: 'count' }), {
          error: { code: -32602, message: 'There is no server.' },
        });
      const { length } = client.notices;
      await gateway.update({ servers: new Map([[name, fixture]]), settings: undefined });
      await client.notice('notifications/tools/list_changed', length);
      assert.match(JSON.stringify(await client.call('count')), /"1"/);
    }
    const { length } = client.notices;
    const settings = { exposure: { fixture__count: 'hidden' } } as const;
    await gateway.update({ servers: new Map([['fixture', fixture]]), settings });
    await client.notice('notifications/tools/list_changed', length);
    assert.match(JSON.stringify(await client.call('count')), /Unknown tool/);
    assert.equal((await client.call('odd')).error, undefined);
  },
);
