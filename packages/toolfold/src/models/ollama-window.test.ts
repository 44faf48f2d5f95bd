import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { type FakeOllama, fakeOllama } from '../../test/models/ollama.test-support.ts';
import { isOllama, type OllamaWindow, ollamaWindow, WindowWatch } from './ollama-window.ts';

const windowOf = async (context: TestContext, fake: FakeOllama, modelId = 'qwen3:8b') =>
  ollamaWindow((await fakeOllama(context, fake)).address, modelId);

const text = (body: string) => (response: { end: (text: string) => unknown }) => {
  response.end(body);
};

suite('the window of a model of Ollama', () => {
  test('is that of the loaded model', async (context) => {
    const window = await windowOf(context, { loads: 4_096, isLoaded: true });
    assert.deepEqual(window, { used: 4_096, most: 40_960 });
  });

  test('is num_ctx of the Modelfile before it is loaded', async (context) => {
    assert.deepEqual(await windowOf(context, { loads: 4_096, numCtx: 8_192 }), {
      used: 8_192,
      most: 40_960,
    });
  });

  test('is unknown before it is loaded without', async (context) => {
    const window = await windowOf(context, { loads: 4_096 });
    assert.deepEqual(window, { used: undefined, most: 40_960 });
  });

  test('is asked without a key, and nothing else is', async (context) => {
    const { address, requests } = await fakeOllama(context, { loads: 4_096 });
    await ollamaWindow(`${address}/`, 'qwen3:8b');
    assert.deepEqual(requests.map(({ line }) => line).sort(), ['GET /api/ps', 'POST /api/show']);
    assert.equal(requests.find(({ body }) => body !== '')?.body, '{"model":"qwen3:8b"}');
    assert.ok(requests.every(({ key }) => key === undefined));
  });

  test('is unknown for what no Ollama says, and takes a second at most', async (context) => {
    const odd: [title: string, FakeOllama['instead']][] = [
      [
        'no endpoint',
        {
          '/api/show': (response) => response.writeHead(404).end(),
          '/api/ps': (response) => response.writeHead(404).end(),
        },
      ],
      ['no JSON', { '/api/show': text('<html>'), '/api/ps': text('<html>') }],
      ['null', { '/api/show': text('null'), '/api/ps': text('null') }],
      ['a list', { '/api/show': text('[]'), '/api/ps': text('[]') }],
      [
        'numbers that are none',
        {
          '/api/show': text(
            '{"parameters":"num_ctx many","model_info":{"general.architecture":"a","a.context_length":"9"}}',
          ),
          '/api/ps': text('{"models":[{"name":"qwen3:8b","context_length":-1}]}'),
        },
      ],
      [
        'other models',
        {
          '/api/show': text('{}'),
          '/api/ps': text('{"models":[{"name":"other","context_length":9},null,3]}'),
        },
      ],
      [
        'a redirect',
        {
          '/api/show': (response) =>
            response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
          '/api/ps': text('{}'),
        },
      ],
      ['no answer', { '/api/show': () => {}, '/api/ps': () => {} }],
      [
        'half an answer',
        {
          '/api/show': (response) => response.write('{"par'),
          '/api/ps': (response) => response.write('{'),
        },
      ],
    ];
    for (const [title, instead] of odd) {
      const window = await windowOf(context, { loads: 4_096, ...(instead ? { instead } : {}) });
      assert.deepEqual(window, { used: undefined, most: undefined }, title);
    }
  });

  test('of a server that is not there is unknown', async () => {
    const window = await ollamaWindow('http://127.0.0.1:9/v1', 'qwen3');
    assert.deepEqual(window, { used: undefined, most: undefined });
  });

  test('is asked of servers that are Ollama by name or port', () => {
    const at = (provider: string, address: string | undefined, protocol = 'openai-compatible') =>
      isOllama({ provider, address, protocol } as Parameters<typeof isOllama>[0]);
    assert.ok(at('ollama', 'http://127.0.0.1:9/v1'));
    assert.ok(at('local', 'http://127.0.0.1:11434/v1'));
    assert.ok(!at('local', 'http://127.0.0.1:8080/v1'));
    assert.ok(!at('openai', 'http://127.0.0.1:11434/v1', 'openai'));
    assert.ok(!at('ollama', undefined));
  });
});

suite('the warning about a window', () => {
  const watch = (...windows: OllamaWindow[]) => {
    let asked = 0;
    const ask = async () => windows[Math.min(asked++, windows.length - 1)] as OllamaWindow;
    return { watch: new WindowWatch('ollama/qwen3', ask), asked: () => asked };
  };
  const known = { used: 4_096, most: 40_960 };

  test('comes once, with the settings that help', async () => {
    const { watch: one, asked } = watch(known);
    one.begin();
    const warning = await one.warningOf(9_000);
    assert.match(warning ?? '', /about 9,000 tokens.*a window of 4,096/);
    assert.match(
      warning ?? '',
      /OLLAMA_CONTEXT_LENGTH=32768.*num_ctx 32768.*"contextWindow": 32768 in models\."ollama\/qwen3"/,
    );
    assert.equal(await one.warningOf(9_000), undefined);
    assert.equal(asked(), 1);
  });

  test('comes when a later request has grown over it', async () => {
    const { watch: one, asked } = watch(known);
    assert.equal(await one.warningOf(4_096), undefined);
    assert.match((await one.warningOf(4_097)) ?? '', /4,097 tokens/);
    assert.equal(asked(), 1);
  });

  test('asks again once the model is loaded, and no server that says nothing', async () => {
    const later = watch({ used: undefined, most: 40_960 }, known);
    later.watch.begin();
    assert.match((await later.watch.warningOf(9_000)) ?? '', /window of 4,096/);
    const silent = watch({ used: undefined, most: undefined });
    silent.watch.begin();
    for (let n = 0; n < 3; n++) {
      assert.equal(await silent.watch.warningOf(9_000), undefined);
      silent.watch.begin();
    }
    assert.equal(silent.asked(), 1);
  });

  test('says where no setting helps', async () => {
    const { watch: one } = watch({ used: 2_048, most: 2_048 });
    assert.match((await one.warningOf(9_000)) ?? '', /takes at most 2,048: choose another one/);
  });
});
