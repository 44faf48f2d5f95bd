// test: slow, first
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  CallHost,
  ElicitationAnswer,
  ElicitationRequest,
  ToolLog,
  ToolProgress,
} from '@toolfold/core/internal/tool/call-host.ts';
import type { RequestOptions } from '../../src/requests/calls-in-flight.ts';
import { ServerRequests } from '../../src/requests/server-requests.ts';
import { askingEntry, type Era, type Way } from './asking-server.test-support.ts';
import { asked, jsonOf } from './requests.test-support.ts';

const limited = { timeout: 60_000 };
const PLACES: readonly (readonly [Era, Way])[] = [
  ['2025-11-25', 'stdio'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'stdio'],
  ['2026-07-28', 'http'],
];

const elicitation = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which one?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string', title: 'Name' }, age: { type: 'integer', minimum: 0 } },
      required: ['name'],
    },
  },
};
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 50 },
};
const roots = { method: 'roots/list' };

const everything: RequestOptions = { elicitation: 'form', sampling: true, roots: ['/work folder'] };
const accepts: CallHost = {
  elicit: async () => ({ action: 'accept', content: { name: 'Ada', age: 36 } }),
  sample: async () => ({ text: 'Hello.', model: 'm-1', stopReason: 'endTurn', tokens: 12 }),
};

for (const [era, way] of PLACES) {
  describe(`${era} over ${way}`, () => {
    test('a host that can do everything', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection, warnings } = asked(context, entry, everything, true);
      const announced = jsonOf(await connection.callTool('capabilities', {}));
      assert.deepEqual(announced, { elicitation: { form: {} }, sampling: {}, roots: {} });
      const requests = { e: elicitation, s: sampling, r: roots };
      const result = await connection.callTool('ask', { requests }, { host: accepts });
      const answers = jsonOf(result) as Record<string, object>;
      assert.deepEqual(answers.e, { action: 'accept', content: { name: 'Ada', age: 36 } });
      assert.deepEqual(answers.s, {
        role: 'assistant',
        content: { type: 'text', text: 'Hello.' },
        model: 'm-1',
        stopReason: 'endTurn',
      });
      assert.deepEqual(answers.r, { roots: [{ uri: 'file:///work%20folder' }] });
      assert.deepEqual(warnings, []);
      assert.equal(connection.listing?.protocolVersion, era);
    });

    test('a host that can do nothing announces nothing', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection } = asked(context, entry, { sampling: true });
      const result = await connection.callTool('capabilities', {});
      assert.deepEqual(jsonOf(result), {});
      assert.ok(!Object.hasOwn(Object(result), 'resultType'));
    });

    for (const action of ['decline', 'cancel'] as const) {
      test(`the user's answer ${action}`, limited, async (context) => {
        const entry = await askingEntry(context, era, way);
        const { connection } = asked(context, entry, { elicitation: 'form' });
        const host = { elicit: async () => ({ action }) };
        const result = await connection.callTool('ask', { requests: { e: elicitation } }, { host });
        assert.deepEqual(jsonOf(result), { e: { action } });
      });
    }

    test('a call without a host is declined', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection, warnings } = asked(context, entry, everything);
      const result = await connection.callTool('ask', { requests: { e: elicitation } });
      assert.equal((jsonOf(result) as { e: { action: string } }).e.action, 'decline');
      assert.match(warnings.join(), /nobody can be asked/);
    });

    test('sampling that the settings do not allow is declined', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const limits = { maxCalls: 1 };
      const { connection, warnings } = asked(context, entry, everything, limits);
      const requests = { a: sampling, b: sampling };
      const call = connection.callTool('ask', { requests }, { host: accepts });
      const said = await call.then(
        (result) => JSON.stringify(result),
        (error) => `${error.code} ${error.message}`,
      );
      assert.match(said, /declined the request: a call has 1 of them at most/);
      assert.equal(warnings.length, 1);
    });

    test('an answer that does not fit is asked again', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection } = asked(context, entry, { elicitation: 'form' });
      const seen: ElicitationRequest[] = [];
      const host: CallHost = {
        elicit: async (request): Promise<ElicitationAnswer> => {
          seen.push(request);
          return { action: 'accept', content: seen.length === 1 ? { age: -1 } : { name: 'Ada' } };
        },
      };
      const result = await connection.callTool('ask', { requests: { e: elicitation } }, { host });
      assert.deepEqual(jsonOf(result), { e: { action: 'accept', content: { name: 'Ada' } } });
      assert.deepEqual(seen[1]?.problems, [
        { field: 'name', problem: 'it is required' },
        { field: 'age', problem: 'it must be at least 0' },
      ]);
      assert.deepEqual(seen[0]?.fields, [
        { name: 'name', title: 'Name', type: 'text', isRequired: true },
        { name: 'age', type: 'integer', minimum: 0, isRequired: false },
      ]);
    });

    test('no answer in time is a cancellation', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection } = asked(context, entry, { elicitation: 'form', answerTime: 5 });
      const signals: AbortSignal[] = [];
      const host: CallHost = {
        elicit: ({ signal }) => {
          signals.push(signal);
          return new Promise<never>(() => {});
        },
      };
      const result = await connection.callTool('ask', { requests: { e: elicitation } }, { host });
      assert.deepEqual(jsonOf(result), { e: { action: 'cancel' } });
      assert.equal(signals[0]?.aborted, true);
    });

    test('a question ends with its call', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection } = asked(context, entry, { elicitation: 'form' });
      const question = Promise.withResolvers<AbortSignal>();
      const host: CallHost = {
        elicit: ({ signal }) => {
          question.resolve(signal);
          return new Promise<never>(() => {});
        },
      };
      const abort = new AbortController();
      const options = { host, signal: abort.signal };
      const call = connection.callTool('ask', { requests: { e: elicitation } }, options);
      const signal = await question.promise;
      assert.equal(signal.aborted, false);
      abort.abort(new Error('stop'));
      await assert.rejects(call, /stop/);
      assert.equal(signal.aborted, true);
    });

    for (const moment of ['before', 'answered'] as const) {
      test(`an abort ${moment}`, limited, async (context) => {
        const entry = await askingEntry(context, era, way);
        const { connection } = asked(context, entry, { elicitation: 'form' });
        await connection.start();
        const abort = new AbortController();
        if (moment === 'before') abort.abort(new Error('stop'));
        let times = 0;
        const host: CallHost = {
          elicit: async () => {
            times += 1;
            // The answer and the abort come at once.
            queueMicrotask(() => abort.abort(new Error('stop')));
            return { action: 'decline' };
          },
        };
        const options = { host, signal: abort.signal };
        const call = connection.callTool('ask', { requests: { e: elicitation } }, options);
        await assert.rejects(call, /stop/);
        assert.equal(times, moment === 'before' ? 0 : 1);
        // The connection is as good as before.
        const next = { host: { elicit: async () => ({ action: 'decline' as const }) } };
        const result = await connection.callTool('ask', { requests: { e: elicitation } }, next);
        assert.deepEqual(jsonOf(result), { e: { action: 'decline' } });
      });
    }

    test('two users at once: each gets its own questions, or none', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection, warnings } = asked(context, entry, { elicitation: 'form' });
      await connection.start();
      const both = Promise.withResolvers<void>();
      let open = 0;
      const call = async (name: string): Promise<unknown> => {
        const host: CallHost = {
          elicit: async () => {
            open += 1;
            if (open === 2) both.resolve();
            await both.promise;
            return { action: 'accept', content: { name } };
          },
        };
        const requests = { e: elicitation };
        return jsonOf(await connection.callTool('ask', { requests }, { host }));
      };
      const answers = await Promise.all([call('Ada'), call('Bob')]);
      // Before 2026-07-28 a question names no call, but over HTTP its stream does.
      const namesCall = era === '2026-07-28' || way === 'http';
      const accepted = ['Ada', 'Bob'].map((name) => ({
        e: { action: 'accept', content: { name } },
      }));
      if (namesCall) assert.deepEqual(answers, accepted);
      else assert.ok(answers.every((one) => JSON.stringify(one).includes('"decline"')));
      assert.equal(warnings.length > 0, !namesCall);
    });

    test('progress and log messages reach the host of their call', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection } = asked(context, entry, { logLevel: 'warning' });
      const progress: ToolProgress[] = [];
      const logs: ToolLog[] = [];
      const host: CallHost = {
        onProgress: (one) => progress.push(one),
        onLog: (one) => logs.push(one),
      };
      await connection.callTool('talk', {}, { host });
      assert.deepEqual(progress, [
        { progress: 1, total: 2, message: 'step 1' },
        { progress: 2, total: 2, message: 'step 2' },
      ]);
      assert.deepEqual(logs, [{ server: 'odd', level: 'warning', text: '{"disk":"full"}' }]);
    });

    test('without a log level no server is asked for messages', limited, async (context) => {
      const entry = await askingEntry(context, era, way);
      const { connection } = asked(context, entry, {});
      const logs: string[] = [];
      await connection.callTool('talk', {}, { host: { onLog: ({ level }) => logs.push(level) } });
      // A server of the older revision then decides by itself.
      assert.deepEqual(logs, era === '2025-11-25' ? ['info', 'warning'] : []);
    });
  });
}

test('a call is sent with the name that its host gives it, else with its id', async () => {
  const requests = new ServerRequests({
    ...{ server: 'odd', secrets: [], host: {}, sampling: () => false, onWarning: assert.fail },
  });
  const sent = (host?: CallHost, toolCallId?: string) =>
    requests.during(
      { ...(host && { host }), ...(toolCallId !== undefined && { toolCallId }) },
      async ({ meta }) => meta,
    );
  const field = 'toolfold/callId';
  assert.deepEqual(await sent({ callId: '7:call_0:e' }, 'call_0'), { [field]: '7:call_0:e' });
  assert.deepEqual(await sent({}, 'call_0'), { [field]: 'call_0' });
  assert.deepEqual(await sent(), {});
});
