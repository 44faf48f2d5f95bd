import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { AuditableRequest } from './blocks.ts';
import { createPromptCache, type InputTokens, type PromptCacheOptions } from './prompt-cache.ts';

type Part = Record<string, unknown>;

const mark = { cache_control: { type: 'ephemeral' } };
const forHour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const text = (value: string, more: Part = {}): Part => ({ type: 'text', text: value, ...more });
const user = (...content: Part[]) => ({ role: 'user', content });
const spoken = (...content: Part[]) => ({ role: 'assistant', content });
const several = (count: number, name: string): Part[] =>
  Array.from({ length: count }, (_, n) => text(`${name}${n}`));

const claude = (body: Part): AuditableRequest => ({
  provider: 'anthropic',
  body: { model: 'claude-opus-5-5', ...body },
});

/** Each block has 100 tokens, and ten blocks are the minimum. */
function cacheOf(options: PromptCacheOptions = {}) {
  const { send } = createPromptCache({ countTokens: () => 100, minimum: 1_000, ...options });
  return (request: AuditableRequest): readonly [input: number, cached: number, written: number] => {
    const { input, cached, written }: InputTokens = send(request);
    return [input, cached, written];
  };
}

suite('the prompt cache of Anthropic', () => {
  test('without a mark nothing is read and nothing is written', () => {
    const send = cacheOf();
    const request = claude({ messages: [user(...several(20, 'a'))] });
    assert.deepEqual(send(request), [2_000, 0, 0]);
    assert.deepEqual(send(request), [2_000, 0, 0]);
  });

  test('a mark on each kind of block saves up to it, and nothing behind it', () => {
    const tools = Array.from({ length: 10 }, (_, n) => ({ name: `t${n}`, input_schema: {} }));
    const marked = tools.map((tool, n) => (n === 9 ? { ...tool, ...mark } : tool));
    const call = { type: 'tool_use', id: 'a', name: 't1', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'ok' };
    const rest = (m: { call?: Part; result?: Part; system?: Part; user?: Part }) => ({
      system: [text('s', m.system)],
      messages: [
        user(text('u', m.user)),
        spoken({ ...call, ...m.call }),
        user({ ...result, ...m.result }),
      ],
    });
    const rows: [where: string, body: Part, saved: number][] = [
      ['a tool', { tools: marked, ...rest({}) }, 1_000],
      ['the system text', { tools, ...rest({ system: mark }) }, 1_100],
      ['a text', { tools, ...rest({ user: mark }) }, 1_200],
      ['a call', { tools, ...rest({ call: mark }) }, 1_300],
      ['a result', { tools, ...rest({ result: mark }) }, 1_400],
      [
        'a part of a result',
        { tools, ...rest({ result: { content: [text('ok', mark)] } }) },
        1_400,
      ],
      ['the top level', { tools, ...rest({}), ...mark }, 1_400],
    ];
    for (const [where, body, saved] of rows) {
      const send = cacheOf();
      assert.deepEqual(send(claude(body)), [1_400, 0, saved], where);
      assert.deepEqual(send(claude(body)), [1_400, saved, 0], where);
    }
  });

  test('the automatic mark stands on the last block that can have one', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: '' };
    const send = cacheOf();
    const messages = [user(...several(10, 'a')), spoken(thinking)];
    assert.deepEqual(send(claude({ ...mark, messages })), [1_100, 0, 1_000]);
  });

  test('less than the minimum is not cached, and costs nothing more', () => {
    const send = cacheOf();
    const short = claude({ messages: [user(...several(9, 'a'))], ...mark });
    assert.deepEqual(send(short), [900, 0, 0]);
    assert.deepEqual(send(short), [900, 0, 0]);
    const long = claude({
      messages: [user(...several(9, 'a')), spoken(text('b')), user(text('c'))],
      ...mark,
    });
    assert.deepEqual(send(long), [1_100, 0, 1_100]);
  });

  test('the minimum is that of the model, and the largest known one for another Claude', () => {
    const minimumOf = (model: string) => {
      const { send } = createPromptCache({ countTokens: (block) => JSON.parse(block).text.length });
      const sizes = [511, 512, 1_023, 1_024, 2_047, 2_048, 4_095, 4_096];
      return sizes.find((size) => {
        const messages = [user(text('x'.repeat(size)))];
        return send({ provider: 'anthropic', body: { model, messages, ...mark } }).written > 0;
      });
    };
    const expected = {
      'claude-opus-5-5': 512,
      'claude-sonnet-4-5': 1_024,
      'claude-opus-4-7': 2_048,
      'claude-haiku-4-5': 4_096,
      'another-model': 4_096,
    };
    for (const [model, minimum] of Object.entries(expected)) {
      assert.equal(minimumOf(model), minimum, model);
    }
  });

  test('it looks back over 20 blocks, the marked one included', () => {
    for (const [added, cached] of [
      [19, 1_000],
      [20, 0],
    ] as const) {
      const send = cacheOf();
      const first = user(...several(9, 'a'), text('end', mark));
      send(claude({ messages: [first] }));
      const more = several(added, 'b');
      const last = { ...more.at(-1), ...mark };
      const messages = [user(...several(9, 'a'), text('end')), spoken(...more.slice(0, -1), last)];
      assert.deepEqual(
        send(claude({ messages })),
        [1_000 + added * 100, cached, 1_000 + added * 100 - cached],
        String(added),
      );
    }
  });

  test('another mark within reach finds what the last one does not', () => {
    const send = cacheOf();
    const first = user(...several(9, 'a'), text('end', mark));
    send(claude({ messages: [first] }));
    const messages = [first, spoken(...several(24, 'b'), text('last', mark))];
    assert.deepEqual(send(claude({ messages })), [3_500, 1_000, 2_500]);
  });

  test('what is read is a true beginning: tools, then system, then messages', () => {
    const base = {
      tools: [{ name: 't', input_schema: {} }],
      system: [text('s')],
      messages: [user(...several(10, 'a'))],
      ...mark,
    };
    const changes: [what: string, body: Part][] = [
      ['a tool', { ...base, tools: [{ name: 't2', input_schema: {} }] }],
      ['a key order', { ...base, tools: [{ input_schema: {}, name: 't' }] }],
      ['a tool before', { ...base, tools: [{ name: 'a', input_schema: {} }, ...base.tools] }],
      ['the system text', { ...base, system: [text('s2')] }],
      ['the first block', { ...base, messages: [user(text('x'), ...several(10, 'a').slice(1))] }],
      ['the tool choice', { ...base, tool_choice: { type: 'any' } }],
      ['thinking', { ...base, thinking: { type: 'enabled', budget_tokens: 2_000 } }],
      ['the model', { ...base, model: 'claude-opus-5' }],
    ];
    for (const [what, body] of changes) {
      const send = cacheOf();
      send(claude(base));
      assert.deepEqual(send(claude(body))[1], 0, what);
      assert.deepEqual(send(claude(base)), [1_200, 1_200, 0], `${what}, then as before`);
    }
    const send = cacheOf();
    const marked = { ...base, system: [...several(9, 's'), text('s', mark)] };
    send(claude(marked));
    assert.deepEqual(
      send(claude({ ...marked, tool_choice: { type: 'any' } }))[1],
      1_100,
      'the tool choice invalidates the messages only',
    );
  });

  test('marks move without losing what they saved', () => {
    const send = cacheOf();
    send(claude({ messages: [user(...several(9, 'a'), text('end', mark))] }));
    const plain = user(...several(9, 'a'), text('end'));
    assert.deepEqual(
      send(claude({ messages: [plain, spoken(text('b')), user(text('c', mark))] })),
      [1_200, 1_000, 200],
    );
  });

  test('five minutes and an hour run from the last use', () => {
    for (const [by, minutes] of [
      [mark, 5],
      [forHour, 60],
    ] as const) {
      let time = 0;
      const send = cacheOf({ now: () => time });
      const request = claude({ messages: [user(...several(10, 'a'))], ...by });
      send(request);
      for (let use = 0; use < 3; use++) {
        time += minutes * 60_000 - 1;
        assert.deepEqual(send(request), [1_000, 1_000, 0]);
      }
      time += minutes * 60_000;
      assert.deepEqual(send(request), [1_000, 0, 1_000]);
    }
  });

  test('writes for an hour are told apart, up to the last mark for an hour', () => {
    const { send } = createPromptCache({ countTokens: () => 100, minimum: 1_000 });
    const body = {
      system: [...several(9, 's'), text('s', forHour)],
      messages: [user(text('a', mark))],
    };
    const { written, writtenForHour } = send(claude(body));
    assert.deepEqual([written, writtenForHour], [1_100, 1_000]);
  });

  test('a mark for an hour on what is read does not make five minutes an hour', () => {
    let time = 0;
    const { send } = createPromptCache({
      countTokens: () => 100,
      minimum: 1_000,
      now: () => time,
    });
    const messages = (by: Part) => [user(...several(9, 'a'), text('end', by))];
    send(claude({ messages: messages(mark) }));
    assert.equal(send(claude({ messages: messages(forHour) })).cached, 1_000);
    time = 6 * 60_000;
    assert.equal(send(claude({ messages: messages(forHour) })).cached, 0);
  });

  test('others read what is saved once the answer has begun', () => {
    const { begin } = createPromptCache({ countTokens: () => 100, minimum: 1_000 });
    const request = claude({ messages: [user(...several(10, 'a'))], ...mark });
    const [first, second] = [begin(request), begin(request)];
    assert.deepEqual([first.tokens.cached, second.tokens.cached], [0, 0]);
    first.answered();
    assert.equal(begin(request).tokens.cached, 1_000);
  });

  test('Claude in the format of Chat Completions is asked by the same marks', () => {
    const send = cacheOf();
    const body = (by: Part) => ({
      provider: 'openai-chat',
      body: {
        model: 'anthropic/claude-opus-5-5',
        messages: [
          { role: 'system', content: several(9, 's') },
          { role: 'user', content: [text('u', by)] },
        ],
      },
    });
    assert.deepEqual(send(body({})), [1_000, 0, 0]);
    assert.deepEqual(send(body(mark)), [1_000, 0, 1_000]);
    assert.deepEqual(send(body(mark)), [1_000, 1_000, 0]);
  });

  test('any conversation: reads and writes never exceed what is sent, and reads were written', () => {
    const sizes = fc.array(fc.record({ blocks: fc.integer({ min: 1, max: 30 }), at: fc.nat() }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(sizes, (turns) => {
        const send = cacheOf();
        const messages: unknown[] = [];
        let saved = 0;
        for (const [index, { blocks, at }] of turns.entries()) {
          const parts = several(blocks, `${index} `);
          const marked = parts.map((part, n) => (n === at % blocks ? { ...part, ...mark } : part));
          const [input, cached, written] = send(
            claude({ messages: [...messages, user(...marked)] }),
          );
          assert.ok(cached + written <= input);
          assert.ok(cached <= saved);
          saved = Math.max(saved, cached + written);
          messages.push(user(...parts));
        }
      }),
    );
  });
});

suite('the prompt cache of OpenAI', () => {
  const chat = (model: string, messages: unknown[], more: Part = {}): AuditableRequest => ({
    provider: 'openai-chat',
    body: { model, messages, ...more },
  });
  const says = (role: string, content: unknown) => ({ role, content });

  test('every beginning from 1,024 tokens on is read, in steps of 128', () => {
    const { send } = createPromptCache({ countTokens: () => 1_100 });
    const messages = [says('system', 's'), says('user', 'a')];
    const reads = (list: unknown[]) => send(chat('gpt-4.1', list)).cached;
    assert.equal(reads(messages), 0);
    assert.equal(reads([...messages, says('assistant', 'b')]), 2_176);
    assert.equal(reads([says('system', 's'), says('user', 'x')]), 1_024);
    assert.equal(send(chat('gpt-4.1', messages)).written, 0);
  });

  test('less than 1,024 tokens are not cached', () => {
    const { send } = createPromptCache({ countTokens: () => 1_023 });
    const request = chat('gpt-4.1', [says('user', 'a')]);
    assert.deepEqual([send(request).cached, send(request).cached], [0, 0]);
  });

  test('they expire after five minutes without use, or a day if the request asks', () => {
    for (const [more, seconds] of [
      [{}, 300],
      [{ prompt_cache_retention: '24h' }, 86_400],
    ] as const) {
      let time = 0;
      const { send } = createPromptCache({ countTokens: () => 2_048, now: () => time });
      const request = chat('gpt-4.1', [says('user', 'a')], more);
      send(request);
      time = seconds * 1_000 - 1;
      assert.equal(send(request).cached, 2_048);
      time += seconds * 1_000;
      assert.equal(send(request).cached, 0);
    }
  });

  test('from GPT-5.6 on, beginnings match at breakpoints only, and writes are reported', () => {
    const tokens = (request: AuditableRequest, send = cacheOf({ minimum: 100 })) => send(request);
    const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } };
    const system = (more: Part = {}) => says('system', [text('s', more)]);
    const send = cacheOf({ minimum: 100 });
    const first = chat('gpt-5.6', [system(), says('user', 'a')]);
    assert.deepEqual(tokens(first, send), [200, 0, 200]);
    const grown = [system(), says('user', 'a'), says('assistant', 'b'), says('user', 'c')];
    assert.deepEqual(tokens(chat('gpt-5.6', grown), send), [400, 200, 200]);
    const other = chat('gpt-5.6', [system(), says('user', 'x')]);
    assert.deepEqual(tokens(other, send), [200, 0, 200], 'no fallback to an unmarked beginning');
    const marked = (name: string) => chat('gpt-5.6', [system(breakpoint), says('user', name)]);
    assert.deepEqual(tokens(marked('d'), send), [200, 0, 200]);
    assert.deepEqual(tokens(marked('e'), send), [200, 100, 100]);
    const explicit = chat('gpt-5.6', [system(), says('user', 'f')], {
      prompt_cache_options: { mode: 'explicit' },
    });
    assert.deepEqual(tokens(explicit), [200, 0, 0], 'explicit mode without a breakpoint');
  });

  test('results are breakpoints of the Responses API too', () => {
    const send = cacheOf({ minimum: 100 });
    const responses = (...input: unknown[]): AuditableRequest => ({
      provider: 'openai-responses',
      body: { model: 'gpt-6-sol', input },
    });
    const call = { type: 'function_call', call_id: 'a', name: 't', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'a', output: 'ok' };
    const ask = says('user', 'a');
    assert.deepEqual(send(responses(ask)), [100, 0, 100]);
    assert.deepEqual(send(responses(ask, call, output)), [300, 100, 200]);
    assert.deepEqual(send(responses(ask, call, output, says('user', 'b'))), [400, 300, 100]);
  });
});
