import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';

/** Deep enough that `JSON.stringify` runs out of stack. */
const LEVELS = 5_000;
const deep = (open: string, close: string): string =>
  `${open.repeat(LEVELS)}1${close.repeat(LEVELS)}`;
const SHAPES = { objects: `{"a":${deep('{"a":', '}')}}`, lists: `{"a":${deep('[', ']')}}` };

describe('arguments that are nested too deeply', () => {
  for (const endpoint of ENDPOINTS)
    for (const isStreamed of [false, true])
      for (const strategy of ['dispatch', 'eager', 'inject'] as const)
        for (const [shape, text] of Object.entries(SHAPES))
          test(`are answered, and run nothing: ${endpoint.name}, ${strategy}, ${shape}${isStreamed ? ', streamed' : ''}`, async () => {
            // The plain form of Anthropic has arguments as JSON, which the scripted server cannot write so deep.
            if (endpoint.provider === 'anthropic' && !isStreamed) return;
            const inside = `{"tool_name":"g__find","arguments":${text}}`;
            const call =
              strategy === 'dispatch'
                ? { name: 'deferred_tool_call', arguments: inside }
                : { name: 'g__find', arguments: text };
            await using server = await startModelServer({
              script: [{ calls: [call] }, { text: 'Done.' }],
            });
            let runs = 0;
            const execute = async () => ++runs;
            const find = tool({ inputSchema: jsonSchema({ type: 'object' }), execute });
            const loader = async () => ({ find });
            const groups = [{ groupId: 'g', toolNames: ['find'], loader }];
            const fold = createFold({ groups, strategy });
            const settings = {
              ...fold.with(modelOn(server, endpoint)),
              prompt: 'Go.',
              stopWhen: isStepCount(3),
              maxRetries: 0,
            };
            const result = isStreamed ? streamText(settings) : await generateText(settings);
            assert.equal(await result.text, 'Done.');
            assert.equal(runs, 0);
            const [, second] = server.requests;
            assert.match(second?.raw ?? '', /nested more than 200 levels deep\. Nest them less/);
            assert.ok((second?.raw.length ?? Infinity) < 10_000, String(second?.raw.length));
          });
});
