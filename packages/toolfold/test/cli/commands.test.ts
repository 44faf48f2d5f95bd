import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { formatNumber } from '@toolfold/core/internal/values/text.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { recordFetch } from '@toolfold/testing/internal/doubles/record-fetch.ts';
import { generateText, streamText } from 'ai';
import type { Command } from 'commander';
import { auditCommand } from '../../src/cli-agent/audit.ts';
import { inspectCommand } from '../../src/cli-tools/inspect.ts';
import { type CommandContext, Unwritten } from '../../src/terminal/terminal.ts';

let cache: string;

before(async () => {
  cache = await mkdtemp(join(tmpdir(), 'toolfold-'));
  // Lists of tools must not be written to the user's own cache.
  process.env.XDG_CACHE_HOME = cache;
});

after(async () => {
  delete process.env.XDG_CACHE_HOME;
  await rm(cache, { recursive: true });
});

interface Outcome {
  readonly out: string;
  readonly notes: readonly string[];
  readonly code: number | undefined;
}

/** Runs a command in this process, on a terminal that records the output. */
async function run(
  make: (context: CommandContext) => Command,
  args: readonly string[],
): Promise<Outcome> {
  let out = '';
  let code: number | undefined;
  const notes: string[] = [];
  const command = make({
    streams: process,
    terminal: {
      out: (text) => {
        out += text;
      },
      note: (text) => notes.push(text),
      style: (_style, text) => text,
      isInteractive: false,
      overwrite: () => assert.fail('not a terminal'),
    },
    signal: new AbortController().signal,
    startedAt: performance.now(),
    unwritten: new Unwritten(),
    exitWith: (given) => {
      code = given;
    },
  });
  await command.exitOverride().parseAsync([...args], { from: 'user' });
  return { out, notes, code };
}

async function folder(context: TestContext, files: Record<string, unknown>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(path, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(path, name), text);
  }
  return path;
}

async function audit(context: TestContext, lines: unknown[], ...flags: string[]): Promise<Outcome> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const path = await folder(context, { 'requests.jsonl': text.join('\n') });
  return run(auditCommand, [join(path, 'requests.jsonl'), ...flags]);
}

const request = (...texts: string[]): object => ({
  provider: 'anthropic',
  url: '/v1/messages',
  body: {
    model: 'm',
    tools: [{ name: 'a' }],
    messages: texts.map((content) => ({ role: 'user', content })),
  },
});

test('audit: an unbroken prefix: 0', async (context) => {
  const { out, code } = await audit(context, [request('a'), '', request('a', 'b')]);
  assert.equal(code, 0);
  assert.match(out, /held[\s\S]*counted with the built-in estimate\.\n$/);
});

test('audit: a broken prefix: 1, with the position', async (context) => {
  const { out, code } = await audit(context, [request('a', 'b'), request('x', 'b')], '--json');
  assert.equal(code, 1);
  const report = JSON.parse(out);
  assert.equal(report.held, false);
  assert.equal(report.counter, 'estimate');
  assert.match(report.requests[1].first.block, /messages\[0\]/);
});

test('audit: what was recorded cannot control the terminal', async (context) => {
  const lines = [request('\u009b31m'), request('\u009b32m')];
  const text = await audit(context, lines);
  assert.match(text.out, /before: .*\\u009b31m/);
  const json = await audit(context, lines, '--json');
  assert.match(JSON.parse(json.out).requests[1].first.before, /\u009b31m/);
  for (const { out } of [text, json]) assert.doesNotMatch(out, /[^\P{Cc}\n]/u);
});

test('audit reads what recordFetch writes; the format follows from the address', async (context) => {
  const script = () => ({ text: 'Hello.' });
  const server = await startModelServer({ script });
  context.after(() => server.close());
  const path = join(await folder(context, {}), 'requests.jsonl');
  const fetch = recordFetch(path);
  const key = { apiKey: 'sk-never-to-be-written', fetch };
  const anthropic = createAnthropic({ ...key, baseURL: server.baseUrl('anthropic') });
  const openai = createOpenAI({ ...key, baseURL: server.baseUrl('openai-responses') });
  for (const model of [anthropic('claude-opus-5-5'), openai('gpt-5.4'), openai.chat('gpt-5.4')]) {
    await writeFile(path, '');
    for (const texts of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      const messages = texts.map((content) => ({ role: 'user' as const, content }));
      assert.equal(await streamText({ model, messages, system: 'Be brief.' }).text, 'Hello.');
    }
    const held = await run(auditCommand, [path]);
    assert.equal(held.code, 0, held.out);
    assert.match(held.out, /^The prefix held over 3 requests: /m);
    await generateText({ model, system: 'Be long.', prompt: 'a' });
    const broken = await run(auditCommand, [path]);
    assert.equal(broken.code, 1);
    // Also without the provider: it follows from the address.
    const lines = (await readFile(path, 'utf8')).replaceAll(/"provider":"[\w-]+",/g, '');
    await writeFile(path, lines);
    assert.deepEqual(await run(auditCommand, [path]), broken);
  }
});

test('large figures are written in groups of three digits', async (context) => {
  const { out } = await audit(context, [request('word '.repeat(5_000))]);
  assert.match(out, /^request 1: first; 0 tokens kept, 5,\d{3} new, 0 lost$/m);
  assert.match(out, /: 0 tokens kept, 5,\d{3} new, 0 lost\.$/m);
});

test('audit understands the names of providers, and does without them', async (context) => {
  const recorded = (texts: string[], fields: object) => ({
    ...fields,
    body: { model: 'm', messages: texts.map((content) => ({ role: 'user', content })) },
  });
  const names = ['openai', 'openai.chat', 'azure', 'openai-compatible', 'groq.chat', undefined];
  for (const provider of names) {
    for (const url of ['https://api.example.com/v1/chat/completions', '/generate', undefined]) {
      const lines = [recorded(['a'], { provider, url }), recorded(['a', 'b'], { url })];
      const { code, notes } = await audit(context, lines);
      assert.deepEqual([code, notes], [0, []], `${provider} ${url}`);
      const broken = await audit(context, [...lines, recorded(['x'], { provider })]);
      assert.equal(broken.code, 1);
    }
  }
  const input = (text: string) => ({ provider: 'openai', body: { model: 'm', input: text } });
  const { out } = await audit(context, [input('a'), input('b')]);
  assert.match(out, /BROKEN at input\[0\]/);
  const text = JSON.stringify(recorded(['a'], {}).body);
  assert.equal((await audit(context, [{ provider: 'openai', body: text }])).code, 0);
});

test('unreadable lines are named with a reason, and are no break', async (context) => {
  const cases: [unknown, RegExp][] = [
    ['{', /requests\.jsonl:2 is not a recorded request and is not compared: it is not JSON \(/],
    [{ provider: 'anthropic' }, /:2 .*no "body"/],
    [{ provider: 'anthropic', body: 'x' }, /:2 .*no "body"/],
    [{ provider: 'other', body: {} }, /:2 .*no "messages" and no "input"/],
    [{ url: '/v1/embeddings', body: { input: 'x' } }, /:2 .*"url" is not .*embeddings/],
    ['5', /:2 .*not a JSON object/],
    [
      `{"provider":"anthropic","body":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      /:2 .*more than 1,000 levels deep/,
    ],
  ];
  for (const [line, expected] of cases) {
    const { code, out, notes } = await audit(context, [request('a'), line, request('a', 'b')]);
    assert.equal(code, 3);
    assert.match(out, /^request 2 \(line 3\): held[\s\S]*held over 2 requests/m);
    assert.match(notes[0] ?? '', expected);
    assert.match(notes[1] ?? '', /^Write one request per line: /);
    await assert.rejects(audit(context, [line, line]), {
      code: 'invalid-option',
      message: /:1 is not a recorded request: .*No other line of .* can be read either/,
    });
  }
  const broken = await audit(context, [request('a'), '{', request('b')], '--json');
  assert.equal(broken.code, 1);
  const report = JSON.parse(broken.out);
  assert.deepEqual(
    report.requests.map(({ line }: { line: number }) => line),
    [1, 3],
  );
  assert.equal(report.unreadable[0].line, 2);
  const many = await audit(context, [request('a'), ...Array(30).fill('{')]);
  assert.equal(many.notes.length, 12);
  assert.equal(many.notes[10], '20 more lines cannot be read.');
  await assert.rejects(audit(context, ['', '']), { message: /has no requests/ });
});

const schema = { type: 'object', properties: { path: { type: 'string', description: 'Where.' } } };
const tools = Array.from({ length: 40 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does number ${index} of the things there are to do.`,
  inputSchema: schema,
}));
const hidden = { name: 'app', inputSchema: schema, _meta: { ui: { visibility: ['app'] } } };

test('inspect: captured lists as JSON', async (context) => {
  const path = await folder(context, {
    'a.json': { server: 'alpha', tools },
    'b.json': { server: 'beta', tools: [...tools, hidden] },
  });
  const { out, code } = await run(inspectCommand, ['--catalogs', path, '--json']);
  assert.equal(code, 0);
  const report = JSON.parse(out);
  assert.deepEqual(
    report.servers.map(({ name, state, tools }: Record<string, unknown>) => [name, state, tools]),
    [
      ['alpha', 'ready', 40],
      ['beta', 'ready', 41],
    ],
  );
  const [alpha] = report.servers;
  assert.deepEqual(Object.keys(alpha), ['name', 'state', 'tools', 'ms', 'tokens']);
  assert.equal(report.totals.tools, 80);
  assert.equal(report.totals.schemaTokens, report.servers[0].tokens + report.servers[1].tokens);
  assert.equal(report.strategies.eager.total, report.totals.schemaTokens);
  const { total, inline, bridges, catalog, namesVisible } = report.strategies.dispatch;
  assert.equal(total, inline + bridges + catalog);
  assert.equal(namesVisible, 80);
  assert.ok(report.auto.strategy in report.strategies);
  assert.notEqual(report.auto.reason, '');
  assert.equal(report.counter, 'estimate');
});

test('inspect: tables as text', async (context) => {
  const path = await folder(context, {
    'a.json': { server: 'alpha', tools: [...tools, tools[0]] },
    'b.json': '{',
    'c.json': { server: 'g\u001b[31m', tools: [hidden] },
  });
  const { out, code } = await run(inspectCommand, ['--catalogs', path, '--context', '8000']);
  assert.equal(code, 3);
  assert.match(out, /^Server +State +Tools +Schema tokens +Time$/m);
  assert.match(out, /^alpha +ready +40 +[\d,]+ +\d+ ms$/m);
  assert.match(out, /^b failed: its file cannot be read.*Correct or remove b\.json\.$/m);
  assert.match(out, /^alpha: it lists more than one tool named tool_0; the first/m);
  assert.match(out, /^1 of the listed tools are hidden from models\.$/m);
  assert.match(out, /^dispatch +[\d,]+ +0 +\d+ +\d+ +40 of 40 +[\d.]+ %$/m);
  assert.match(out, /^auto would choose \w+: ./m);
  assert.match(out, /built-in estimate.*a window of 8,000/);
  assert.ok(!out.includes('\u001b'));
});

test('inspect: without a ready server nothing is compared: 3', async (context) => {
  const bad = (name: string) => ({ command: join('/nowhere', `toolfold-${name}`) });
  const path = await folder(context, {
    'mcp.json': { mcpServers: { one: bad('a'), two: bad('b') } },
  });
  const flags = ['--config', join(path, 'mcp.json'), '--model', 'anthropic/claude-opus-5-5'];
  const { out, code } = await run(inspectCommand, flags);
  assert.equal(code, 3);
  for (const name of ['one', 'two'])
    assert.match(out, new RegExp(`^${name} failed: .*was not found.*\\. .+\\.$`, 'm'));
  assert.match(out, /^No server is ready, so there is nothing to compare\.$/m);
  assert.doesNotMatch(out, /Strategy|eager|auto|Estimate|Figures/);
  const json = await run(inspectCommand, [...flags, '--json']);
  assert.equal(json.code, 3);
  const report = JSON.parse(json.out);
  assert.deepEqual(report.strategies, {});
  assert.deepEqual([report.auto, report.estimates], [undefined, undefined]);
  assert.match(report.problem, /nothing to compare/);
  for (const { state, reason, remedy } of report.servers)
    assert.ok(state === 'failed' && reason !== '' && remedy !== '');
});

test('inspect: without a tool that models may use nothing is compared: 0', async (context) => {
  for (const tools of [[], [hidden]]) {
    const path = await folder(context, { 'a.json': { server: 'alpha', tools } });
    const { out, code } = await run(inspectCommand, ['--catalogs', path]);
    assert.equal(code, 0);
    assert.match(out, /^alpha +ready +/m);
    assert.match(out, /^No ready server has a tool that models may use, so there is nothing/m);
    assert.doesNotMatch(out, /Strategy|auto/);
  }
});

test('inspect: one strategy, a budget, an exact count', async (context) => {
  const path = await folder(context, { 'a.json': { server: 'alpha', tools } });
  const flags = ['--catalogs', path, '--json', '--exact', '--strategy', 'bridge', '--budget'];
  const small = JSON.parse((await run(inspectCommand, [...flags, '100'])).out);
  assert.deepEqual(Object.keys(small.strategies), ['eager', 'bridge']);
  assert.equal(small.counter, 'o200k_base');
  assert.ok(small.strategies.bridge.catalog <= 100);
  const large = JSON.parse((await run(inspectCommand, [...flags, 'none'])).out);
  assert.equal(large.strategies.bridge.namesVisible, 40);
});

test('inspect: the cost of a task on a model with native forms', async (context) => {
  const many = Array.from({ length: 180 }, (_, n) => ({ ...tools[0], name: `tool_${n}` }));
  const path = await folder(context, { 'a.json': { server: 'alpha', tools: many } });
  const flags = ['--catalogs', path, '--model', 'anthropic/claude-opus-5-5', '--turns', '6'];
  const { out } = await run(inspectCommand, [...flags, '--loads', '1', '--json']);
  const { model, workload, estimates, strategies, auto } = JSON.parse(out);
  assert.equal(model.name, 'anthropic/claude-opus-5-5');
  assert.deepEqual(Object.keys(model.prices), ['write', 'read', 'minPrefix', 'source', 'date']);
  assert.equal(model.nativeForms[0], 'anthropic-inline');
  assert.deepEqual(workload, { turns: 6, loads: 1 });
  assert.deepEqual(Object.keys(estimates), Object.keys(strategies));
  assert.deepEqual([estimates.eager.requests, estimates.native.requests], [6, 7]);
  const { read, written, cost, available } = estimates.native;
  assert.equal(cost, Math.round(read * model.prices.read + written * model.prices.write));
  assert.equal(available, true);
  // No live run has proven the form.
  assert.equal(auto.strategy, 'dispatch');
  assert.ok(
    auto.reason.includes(
      `estimated ${formatNumber(estimates.dispatch.cost)} uncached tokens, and ${formatNumber(estimates.eager.cost)} with every schema`,
    ),
  );
  const noLoads = JSON.parse((await run(inspectCommand, [...flags, '--loads', '0', '--json'])).out);
  assert.equal(noLoads.estimates.dispatch.requests, 6);

  const table = (await run(inspectCommand, [...flags, '--tools-per-load', '1'])).out;
  assert.match(
    table,
    /^Estimate for anthropic\/claude-opus-5-5, a task of 6 requests and 2 loads/m,
  );
  assert.match(table, /^Strategy +Requests +Tokens sent +Read +Written +Cost +Of eager$/m);
  assert.match(table, /^native( +[\d,]+){5} +[\d.]+ %$/m);
  assert.match(table, /^Prices: .*prompts of 512 tokens.* \(https:.*, \d{4}-\d\d-\d\d\)\.$/m);
  assert.match(
    table,
    /best first: anthropic-inline, .*\. No live run has proven the first one, so auto does not/,
  );
});

test('inspect: the sentence and the table for a model with a high minimum fit together', async (context) => {
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
  const many = Array.from({ length: 60 }, (_, n) => ({
    ...{ name: `get_${n}`, description: 'Gets one thing of many, by its id. '.repeat(25) },
    inputSchema,
  }));
  const odd = { name: 'odd', inputSchema: { ...inputSchema, anyOf: [{ required: ['id'] }] } };
  const model = ['--model', 'anthropic/claude-haiku-4-5'];
  const fine = await folder(context, { 'a.json': { server: 'alpha', tools: many } });
  const report = await run(inspectCommand, ['--catalogs', fine, ...model, '--json']);
  const { auto, estimates, refused } = JSON.parse(report.out);
  const { sent, cost } = estimates.dispatch;
  const costs = [Math.max(sent, cost), estimates.eager.cost, cost].map(formatNumber);
  const [both, withCache] = [
    `estimated ${costs[0]} uncached tokens, and ${costs[1]} with every schema`,
    `; ${costs[2]} with the cache`,
  ];
  assert.ok(auto.reason.includes(both) && auto.reason.includes(withCache), auto.reason);
  assert.deepEqual(refused, []);

  const mixed = await folder(context, { 'a.json': { server: 'alpha', tools: [...many, odd] } });
  const { out } = await run(inspectCommand, ['--catalogs', mixed, ...model]);
  assert.match(out, /^alpha__odd: Anthropic does not accept it.*"anyOf" at its root\.$/m);
  assert.match(out, /auto would choose dispatch: "alpha__odd" cannot be declared/);
});

test('inspect: an unknown model', async (context) => {
  const path = await folder(context, { 'a.json': { server: 'alpha', tools } });
  const flags = ['--catalogs', path, '--model', 'local/some/model'];
  const { out } = await run(inspectCommand, [...flags, '--strategy', 'native']);
  assert.match(out, /^native +not available$/m);
  assert.match(
    out,
    /^No cache prices are known for local\/some\/model\. .* the tokens processed: /m,
  );
  assert.match(out, /; the cost is in tokens processed:$/m);
  assert.match(out, /native is not available, and auto does not choose it\.$/m);
  assert.doesNotMatch(out, /^lazy/m);
  const { model, estimates, auto } = JSON.parse(
    (await run(inspectCommand, [...flags, '--json'])).out,
  );
  assert.deepEqual(model.prices, { write: 1, read: 0 });
  const { sent, read, cost } = estimates.dispatch;
  assert.equal(cost, sent - read);
  assert.ok(
    auto.reason.includes(
      `estimated ${formatNumber(cost)} tokens, and ${formatNumber(estimates.eager.cost)} with every schema`,
    ),
  );
  assert.match(auto.reason, /no cache price is known, so each token counts once/);
  assert.deepEqual(model.nativeForms, []);
  assert.equal(estimates.native.available, false);
  assert.notEqual(auto.strategy, 'native');
});

test('inspect: without a model nothing is estimated, and options about the task are refused', async (context) => {
  const path = await folder(context, { 'a.json': { server: 'alpha', tools } });
  const { out } = await run(inspectCommand, ['--catalogs', path]);
  assert.doesNotMatch(out, /Estimate for|not available/);
  const code = 'invalid-option';
  for (const flags of [
    ['--model', 'claude-opus-5-5'],
    ['--model', 'anthropic/'],
    ['--turns', '4'],
    ['--loads', '0'],
    ['--model', 'a/b', '--turns', '1000000'],
  ]) {
    await assert.rejects(run(inspectCommand, ['--catalogs', path, ...flags]), { code }, flags[0]);
  }
});

test('inspect: a configuration with a server that is not ready, saved', async (context) => {
  const source = `console.log('Starting up');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      : { tools: ${JSON.stringify(tools)} };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  })`;
  const path = await folder(context, {
    'mcp.json': {
      mcpServers: {
        good: { command: process.execPath, args: ['-e', source] },
        bad: { command: join('/nowhere', 'toolfold-x') },
        off: { command: 'x', disabled: true },
      },
      toolfold: { catalog: { budget: 100 }, exposure: { good__tool_1: 'inline' } },
    },
  });
  const saved = join(path, 'captures');
  const config = ['--config', join(path, 'mcp.json')];
  const live = await run(inspectCommand, [...config, '--json', '--save', saved, '--verbose']);
  assert.equal(live.code, 3);
  const report = JSON.parse(live.out);
  assert.equal(report.source, join(path, 'mcp.json'));
  assert.deepEqual(
    report.servers.map(({ name, state, tools }: Record<string, unknown>) => [name, state, tools]),
    [
      ['good', 'ready', 40],
      ['bad', 'failed', 0],
    ],
  );
  assert.match(report.servers[1].reason, /was not found/);
  const stray = 'it wrote 1 line to stdout that is not an MCP message; it was ignored';
  assert.deepEqual(report.servers[0].warnings, [stray]);
  const table = await run(inspectCommand, config);
  assert.match(
    table.out,
    /^good: it wrote 1 line to stdout that is not an MCP message; it was ignored\.$/m,
  );
  assert.ok(report.strategies.dispatch.catalog <= 100);
  assert.ok(report.strategies.dispatch.inline > 0);
  const notes = live.notes.join('\n');
  assert.match(notes, /Disabled in the configuration: off/);
  assert.match(notes, /good: connecting\n/);
  assert.match(notes, /good: ready, 40 tools/);
  assert.match(notes, /bad: failed: /);
  assert.match(notes, /Saved .*good\.json/);
  const again = await run(inspectCommand, ['--catalogs', saved, '--json']);
  assert.equal(again.code, 0);
  assert.equal(JSON.parse(again.out).totals.schemaTokens, report.totals.schemaTokens);
});
