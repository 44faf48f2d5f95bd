import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { AGENT_OPTIONS } from '../../src/agent/agent-check.ts';
import { createAgent } from '../../src/index.ts';

const VALUES: Readonly<Record<string, unknown>> = {
  'a text': 'text',
  'an empty text': '',
  'a list': ['t'],
  'a list of null': [null],
  'a list of objects': [{ role: 'user' }],
  'an object': { a: 1 },
  'an object with null': { a: null },
  null: null,
  NaN: Number.NaN,
  'a negative number': -1,
  zero: 0,
  true: true,
  false: false,
  'a function': () => undefined,
  'a Map': new Map([['a', 1]]),
  'a symbol': Symbol('s'),
  'a bigint': 3n,
};

const TEXTS = ['a text', 'an empty text'];
const SWITCH = ['true', 'false'];
/** The values that an option may have. Those of all others are refused. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  model: TEXTS,
  address: TEXTS,
  instructions: TEXTS,
  elicitation: ['an object', 'an object with null', ...SWITCH],
  subagents: SWITCH,
  onUnknown: ['a function'],
  onWarning: ['a function'],
};

describe('a wrong value of an option of createAgent is refused with a hint', () => {
  for (const option of Object.keys(AGENT_OPTIONS))
    test(option, async () => {
      await using server = await startModelServer({ script: [] });
      const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
      for (const [name, value] of Object.entries(VALUES)) {
        const make = () => createAgent({ model, onWarning: () => {}, [option]: value } as never);
        if (FITTING[option]?.includes(name)) {
          make();
          continue;
        }
        const isUnknown = option === 'role' && name === 'a text';
        assert.throws(make, (error) => {
          assert.ok(error instanceof ToolfoldError, `${name}: ${(error as Error).stack}`);
          assert.equal(error.code, isUnknown ? 'unknown-role' : 'invalid-option', name);
          assert.ok(error.hint !== '');
          return true;
        });
      }
    });
});
