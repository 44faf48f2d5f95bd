import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { WebServer } from '../chaos/web-server.test-support.ts';
import { observe } from '../server/server-connection.test-support.ts';

const limited = { timeout: 30_000 };
const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const content = [{ type: 'text', text: 'done' }];

/** What a call answers, and what comes of it, with the number of times that the server got the call. */
const rows: Readonly<Record<string, readonly [answer: object, RegExp, calls: number]>> = {
  complete: [{ resultType: 'complete', content }, /^\{"content":\[.*\]\}$/, 1],
  none: [{ content }, /^\{"content":\[.*\]\}$/, 1],
  'one that is not known': [
    { resultType: 'later', content },
    /^rejected: .*cannot be used: its result has the type 'later', which is not known\./,
    1,
  ],
  'a long one': [{ resultType: 'x'.repeat(9000) }, /^rejected: .{0,160}$/, 1],
  null: [{ resultType: null, content }, /the type null, which is not known/, 1],
  'an object': [{ resultType: { a: 1 }, content }, /the type \{'a':1\}, which is not known/, 1],
  'input_required without a question or a state': [
    { resultType: 'input_required' },
    /^rejected: .*asks for input, but not for which/,
    1,
  ],
};

suite('the type of a result', { concurrency: 4 }, () => {
  for (const [name, [answer, expected, calls]] of Object.entries(rows)) {
    test(`since 2026-07-28: ${name}`, limited, async (context) => {
      const web = await WebServer.begin(context);
      const results: Readonly<Record<string, object>> = {
        'server/discover': {
          ...{ ...kept, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
          serverInfo: { name: 'typed', version: '1' },
        },
        'tools/list': { ...kept, tools: web.tools },
        'tools/call': answer,
      };
      web.onAll = (message, response) => {
        const result = results[message.method];
        if (result) web.answer(message, response, result);
        return result !== undefined;
      };
      const { connection } = observe(context, web.entry());
      const end = await connection.callTool('a', {}).then(
        (result) => JSON.stringify(result),
        (error: Error) => `rejected: ${error.message}`,
      );
      assert.match(end, expected);
      assert.equal(web.count('tools/call'), calls);
    });
  }

  for (const resultType of ['later', 'input_required']) {
    test(
      `older revisions have none: ${resultType} is a field like others`,
      limited,
      async (context) => {
        const web = await WebServer.begin(context);
        web.onCall = (message, response) =>
          web.answer(message, response, { resultType, requestState: 'x', content });
        const { connection } = observe(context, web.entry());
        const result = await connection.callTool('a', {});
        assert.deepEqual(result, { resultType, requestState: 'x', content });
        assert.equal(web.count('tools/call'), 1);
      },
    );
  }
});
