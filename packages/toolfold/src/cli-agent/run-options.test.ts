// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { home } from '../../test/cli/process.test-support.ts';
import { KEY, limited, MODEL, scene } from '../../test/cli-agent/run.test-support.ts';
import { timeLimit } from './run-prompt.ts';

const reading: Reply = {
  calls: [{ name: 'files__read_text_file', arguments: { path: 'note.txt' } }],
};
const trusted = { servers: { files: { trusted: true } } };

suite('run --timeout', { concurrency: 2 }, () => {
  for (const flags of [[], ['--json']]) {
    test(`ends a turn at the time limit: 6 ${flags}`, limited, async (context) => {
      const { ask } = await scene(context, [{ hold: new Promise(() => {}) }]);
      const { code, stdout, stderr } = await ask('--timeout', '0.2', ...flags, 'Go.');
      assert.equal(code, 6, stderr);
      assert.match(
        stderr,
        /^toolfold: The turn was cancelled: it took longer than 0\.2 s \(--timeout\)\.$/m,
      );
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      if (flags.length > 0) assert.equal(JSON.parse(last).reason, 'cancelled');
      else assert.equal(stdout, '');
    });
  }

  test('does not change a turn that ends in time', limited, async (context) => {
    const { askProcess } = await scene(context, [reading, { text: 'It is 42.' }], trusted);
    // The process ends, so no timer is left.
    const { code, stdout, stderr } = await askProcess('--timeout', '86400', 'Go.');
    assert.deepEqual([code, stdout], [0, 'It is 42.\n'], stderr);
    assert.doesNotMatch(stderr, /cancelled/i);
  });

  test('wrong values: 2', limited, async (context) => {
    const folder = await home(context);
    for (const value of ['0', '-1', 'soon', '', '86401', '1e3']) {
      const { code, stderr } = await command(folder, ['run', 'hi', `--timeout=${value}`]);
      assert.equal(code, 2, value);
      assert.match(stderr, /--timeout <seconds>.*seconds above 0[\s\S]*See toolfold run --help\./);
    }
  });

  test('another cause of cancellation is not reported as a timeout', async () => {
    const stop = new AbortController();
    const limit = timeLimit(stop.signal, 0.001);
    stop.abort(new Error('stopped'));
    assert.equal(limit.signal.reason.message, 'stopped');
    assert.equal(limit.isOver(), false);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(limit.isOver(), false);
    const late = timeLimit(new AbortController().signal, 0.001);
    await new Promise((resolve) => late.signal.addEventListener('abort', resolve));
    assert.equal(late.isOver(), true);
    assert.match(late.signal.reason.message, /limit of 0\.001 s/);
  });
});

suite('run --max-rounds', { concurrency: 2 }, () => {
  const rounds = async (
    context: Parameters<typeof scene>[0],
    flags: string[],
    toolfold: object,
  ) => {
    // As many rounds as allowed, and then an answer.
    const { ask, model } = await scene(
      context,
      ({ raw }) => (/no rounds of tools are left/.test(raw) ? { text: 'Enough.' } : reading),
      { ...trusted, ...toolfold },
    );
    const { code, stderr } = await ask(...flags, 'Go.');
    assert.equal(code, 5, stderr);
    return { requests: model.requests.length, stderr };
  };

  test('overrides the configuration, also for roles and models', limited, async (context) => {
    const own = { maxRounds: 4, models: { [MODEL]: { maxRounds: 3 } } };
    const roles = { clerk: { tools: ['*'], maxRounds: 3 } };
    assert.equal((await rounds(context, [], own)).requests, 4);
    const { requests, stderr } = await rounds(context, ['--max-rounds', '2'], own);
    assert.equal(requests, 3);
    assert.match(stderr, /the limit is 2 \(--max-rounds, or maxRounds in the configuration\)/);
    const asClerk = ['--role', 'clerk', '--max-rounds', '1'];
    assert.equal((await rounds(context, asClerk, { roles })).requests, 2);
  });

  test('wrong values: 2', limited, async (context) => {
    const folder = await home(context);
    for (const value of ['0', '-1', '1.5', 'many', '']) {
      const { code, stderr } = await command(folder, ['run', 'hi', `--max-rounds=${value}`]);
      assert.equal(code, 2, value);
      assert.match(stderr, /--max-rounds <n>.*whole number[\s\S]*See toolfold run --help\./);
    }
  });
});

suite('run: a refused key', { concurrency: 2 }, () => {
  const refused = { error: { status: 401, body: `The key ${KEY} is invalid.` } };

  test('names provider, address and variable: 1', limited, async (context) => {
    const { ask, model } = await scene(context, () => refused);
    const { code, stderr, stdout } = await ask('Go.');
    assert.deepEqual([code, stdout], [1, '']);
    const url = model.baseUrl('anthropic');
    const line = `^toolfold: The provider anthropic refused the request for claude-opus-5-5 with status 401 at ${url}/messages: The key \\[redacted\\] is invalid\\. The key came from the variable ANTHROPIC_API_KEY\\. Set it to`;
    assert.match(stderr, new RegExp(line, 'm'));
    const json = await ask('--json', 'Go.');
    const { error } = JSON.parse(json.stdout.trimEnd().split('\n').at(-1) ?? '');
    assert.match(error.message, /ANTHROPIC_API_KEY/);
    assert.ok(![stderr, json.stdout, json.stderr].join('').includes(KEY));
  });

  test('names the missing key or the general key', limited, async (context) => {
    const model = await startModelServer({ script: () => refused });
    context.after(() => model.close());
    const folder = await home(context);
    const url = model.baseUrl('openai-chat');
    const args = ['run', '--model', 'local/m', '--base-url', url, 'Go.'];
    const none = await command(folder, args);
    assert.match(
      none.stderr,
      /local refused .*\. No key was sent\. Set the variable LOCAL_API_KEY, or TOOLFOLD_API_KEY\.$/m,
    );
    const shared = await command(folder, args, { env: { TOOLFOLD_API_KEY: KEY } });
    assert.match(shared.stderr, /The key came from the variable TOOLFOLD_API_KEY\./);
  });

  test('refuses a password in the address and does not show it: 2', limited, async (context) => {
    const url = 'http://user:password@127.0.0.1:9/v1';
    const folder = await home(context);
    const args = ['run', '--model', 'local/m', '--base-url', url, 'Go.'];
    const { code, stderr } = await command(folder, args);
    assert.equal(code, 2);
    assert.match(stderr, /--base-url contains a user name or a password\. .*LOCAL_API_KEY/);
    assert.doesNotMatch(stderr, /user:|:password|password@/);
  });
});

test('another provider failure names the address of the request', limited, async (context) => {
  const { ask, model } = await scene(context, () => ({
    error: { status: 404, body: 'no model' },
  }));
  const { code, stderr } = await ask('Go.');
  assert.equal(code, 1);
  const url = model.baseUrl('anthropic');
  assert.match(
    stderr,
    new RegExp(
      `^toolfold: The provider has no such address or model: ${url}/messages \\(status 404\\): no model\\.\nCheck --base-url`,
      'm',
    ),
  );
});
