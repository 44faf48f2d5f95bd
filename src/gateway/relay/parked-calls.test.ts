import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../raw-server.test-support.ts';
import { fixtureEntry, openClient, openGateway } from '../scene.test-support.ts';

const limited = { timeout: 60_000 };

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const one = { method: 'elicitation/create', params: FORM };
const ASK = { name: 'fixture__ask', arguments: { questions: { first: one, second: one } } };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const accepted = (name: string): Json => ({ action: 'accept', content: { name } });

test(
  'promise 72: a question waits in a state that counts once, for its request',
  limited,
  async (context) => {
    const gateway = openGateway(
      context,
      { fixture: await fixtureEntry(context, 'legacy') },
      { mode: 'eager' },
    );
    for (const way of ['stdio', 'http'] as const) {
      const client = await openClient(context, gateway, way, { era: 'modern', capabilities });
      const asked = await client.request('tools/call', ASK);
      assert.equal(asked.result?.resultType, 'input_required');
      const { requestState, inputRequests } = asked.result ?? {};
      const keys = Object.keys(inputRequests as Json);
      assert.equal(keys.length, 2, 'questions that come together are one round');
      const again = (others: Json): Promise<{ result?: Json; error?: Json }> =>
        client.request('tools/call', { ...ASK, requestState, inputResponses: {}, ...others });
      const refused = async (others: Json): Promise<void> => {
        const { error } = await again(others);
        assert.equal(error?.code, -32602);
      };
      await refused({ requestState: 'toolfold-unknown' });
      await refused({ arguments: { questions: {} } });
      await refused({ name: 'fixture__odd' });
      // What has no answer is asked again, and the earlier state does not count any more.
      const half = await again({ inputResponses: { [keys[0] ?? '']: accepted('Ada') } });
      assert.equal(half.result?.resultType, 'input_required');
      assert.deepEqual(Object.keys(half.result?.inputRequests as Json), [keys[1]]);
      await refused({});
      const done = await client.request('tools/call', {
        ...ASK,
        requestState: half.result?.requestState,
        inputResponses: { [keys[1] ?? '']: accepted('Bob'), odd: 'ignored' },
      });
      assert.match(JSON.stringify(done.result), /Ada.*Bob/);
      await refused({ requestState: half.result?.requestState });
    }
  },
);

test(
  'promise 72: a client that goes away while it waits ends the call',
  limited,
  async (context) => {
    const gateway = openGateway(
      context,
      { fixture: await fixtureEntry(context, 'legacy') },
      { mode: 'eager' },
    );
    const client = await openClient(context, gateway, 'http', { era: 'modern' });
    const other = await openClient(context, gateway, 'http', { era: 'modern' });
    const { id } = client.start('tools/call', { name: 'fixture__hang', arguments: {} });
    await other.call('fixture__count');
    client.cancel(id);
    for (;;) {
      const { result } = await other.call('fixture__cancelled');
      if (JSON.stringify(result).includes('"1"')) break;
    }
  },
);
