import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ToolfoldError, type ToolfoldErrorCode } from '@toolfold/core/internal/errors.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, jsonSchema, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { FOLD_OPTIONS, WITH_OPTIONS } from '../src/fold/check-options.ts';
import { createFold, type SdkToolGroup } from '../src/index.ts';
import { ENDPOINTS, modelOn } from './endpoints.test-support.ts';

const VALUES: Readonly<Record<string, unknown>> = {
  'a text': 'text',
  'an empty text': '',
  'a list': ['t'],
  'a list of null': [null],
  'an object': { a: 1 },
  'an object with null': { a: null },
  null: null,
  NaN,
  'a negative number': -1,
  zero: 0,
  true: true,
  false: false,
  'a function': () => undefined,
  'a Map': new Map([['a', 1]]),
  'a symbol': Symbol('s'),
  'a bigint': 3n,
};

const NAMES = ['a text', 'an empty text'];
const SWITCH = ['true', 'false'];
const RUN = ['a function'];
/** The values that an option may have. Those of all others are refused. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  strategy: ['false'],
  search: RUN,
  loaderCache: ['a Map'],
  onToolsExpanded: RUN,
  onCall: RUN,
  onWarning: ['a function', 'false'],
  frameResults: SWITCH,
  hide: RUN,
  onRequest: RUN,
  cache: ['false'],
  images: SWITCH,
  // The column of a database that holds none yet.
  state: ['null'],
  only: ['a list'],
  without: ['a list'],
  preload: RUN,
  notice: RUN,
  onFallback: RUN,
  onExecute: RUN,
  runWith: RUN,
  callHost: RUN,
  // A null in it is no setting.
  toolApproval: ['a function', 'an object with null'],
  // Its members are those of a host that names its lists.
  history: ['an object', 'an object with null'],
  groupId: ['a text'],
  toolNames: ['a list'],
  loader: RUN,
  displayName: NAMES,
  description: NAMES,
  fingerprint: NAMES,
  schemaTokens: ['zero'],
  prefix: SWITCH,
  trusted: SWITCH,
};

const group: SdkToolGroup = {
  groupId: 'crm',
  toolNames: ['find'],
  loader: async () => [{ name: 'find', inputSchema: { type: 'object' }, execute: async () => 1 }],
};
const own = tool({ inputSchema: z.object({}), execute: async () => 1 });
const plain = { tools: { own } as ToolSet, groups: [group], onWarning: false } as const;

/** Makes one request. Returns the code of the error with a hint, if there is one. */
async function codeOf(fold: object, options: object): Promise<ToolfoldErrorCode | undefined> {
  await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
  const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
  try {
    const fields = createFold<ToolSet>({ ...plain, ...fold }).with(model, options);
    await generateText({ ...fields, prompt: 'Go.', maxRetries: 0 });
    return;
  } catch (error) {
    assert.ok(error instanceof ToolfoldError, String((error as Error)?.stack));
    assert.ok(error.hint !== '');
    return error.code;
  }
}

type Make = (key: string, value: unknown) => [fold: object, options: object];
const PLACES: readonly (readonly [place: string, options: readonly string[], make: Make])[] = [
  ['createFold', Object.keys(FOLD_OPTIONS), (key, value) => [{ [key]: value }, {}]],
  ['fold.with', Object.keys(WITH_OPTIONS), (key, value) => [{}, { [key]: value }]],
  [
    'a group',
    [
      ...Object.keys(group),
      ...['displayName', 'description', 'toolSummaries', 'schemaTokens', 'fingerprint', 'prefix'],
      ...['trusted', 'exposure', 'resultFormat', 'unavailable'],
    ],
    (key, value) => [{ groups: [{ ...group, [key]: value }] }, {}],
  ],
];

for (const [place, options, make] of PLACES)
  describe(`a wrong value of an option of ${place} is refused with a hint`, () => {
    for (const option of options)
      test(option, async () => {
        for (const [name, value] of Object.entries(VALUES)) {
          const code = await codeOf(...make(option, value));
          const fits = FITTING[option]?.includes(name) ?? false;
          const isUnknown = option === 'role' && typeof value === 'string';
          const expected = isUnknown ? 'unknown-role' : fits ? undefined : 'invalid-option';
          assert.equal(code, expected, name);
        }
      });
  });

const cyclic: Record<string, unknown> = { type: 'object' };
cyclic.properties = { child: cyclic };
const nested = (levels: number) => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { type: 'object', properties: { schema } };
  return schema;
};
const SCHEMAS: Readonly<Record<string, object>> = {
  'with a cycle': cyclic,
  'with a bigint': { type: 'object', maximum: 3n },
  'nested 5,000 deep': nested(5_000),
  'nested 150 deep': nested(150),
  'nested 100,000 deep': nested(100_000),
  'with a getter that throws': {
    get type() {
      throw new Error('boo');
    },
  },
};

describe('a schema that no model can read', () => {
  for (const [name, content] of Object.entries(SCHEMAS))
    for (const strategy of ['eager', 'dispatch', false] as const) {
      test(`${name}, ${strategy}: the tool of the app is refused, and that of a group is left out`, async () => {
        const inputSchema = jsonSchema(content);
        const validated = jsonSchema(content, {
          validate: (value) => ({ success: true, value }),
        });
        for (const schema of [inputSchema, validated, () => inputSchema]) {
          const bad = tool({ inputSchema: schema as never, execute: async () => 1 });
          assert.equal(await codeOf({ tools: { bad }, strategy }, {}), 'invalid-schema');
          const groups = [{ ...group, toolNames: ['bad'], loader: async () => ({ bad }) }];
          assert.equal(await codeOf({ groups, strategy }, {}), undefined);
        }
      });
    }

  test('a schema that its library cannot convert', async () => {
    const inputSchema = z.lazy(() => {
      throw new Error('not yet');
    });
    const bad = tool({ inputSchema: inputSchema as never, execute: async () => 1 });
    assert.equal(await codeOf({ tools: { bad } }, {}), 'invalid-schema');
  });
});
