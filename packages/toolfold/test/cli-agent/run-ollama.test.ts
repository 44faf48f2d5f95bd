import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { command } from '../cli/in-process.test-support.ts';
import { home } from '../cli/process.test-support.ts';
import { fakeOllama } from '../models/ollama.test-support.ts';
import { limited } from './run.test-support.ts';

suite('run with a model of Ollama', () => {
  test(
    'a request that its window cuts is a warning with the settings that help',
    limited,
    async (context) => {
      const { address } = await fakeOllama(context, { loads: 256 });
      const folder = await home(context);
      const prompt = 'word '.repeat(400);
      const args = ['run', '--model', 'ollama/qwen3:8b', '--base-url', address, prompt];
      const { code, stdout, stderr } = await command(folder, args);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, 'Hello.\n');
      assert.match(stderr, /a window of 256.*OLLAMA_CONTEXT_LENGTH=8192/);
    },
  );

  test(
    'one that fits is none, nor is one to a server that says nothing',
    limited,
    async (context) => {
      const folder = await home(context);
      const hang = () => {};
      for (const fake of [
        { loads: 32_768 },
        { loads: 256, instead: { '/api/show': hang, '/api/ps': hang } },
      ]) {
        const { address } = await fakeOllama(context, fake);
        const args = [
          'run',
          '--model',
          'ollama/qwen3:8b',
          '--base-url',
          address,
          'word '.repeat(400),
        ];
        const { code, stdout, stderr } = await command(folder, args);
        assert.equal(code, 0, stderr);
        assert.equal(stdout, 'Hello.\n');
        assert.doesNotMatch(stderr, /window/);
      }
    },
  );
});
