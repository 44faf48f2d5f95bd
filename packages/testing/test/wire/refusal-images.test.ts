import { type RefusalCase, testRefusals } from './refusal.test-support.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const wide = Buffer.from(PNG);
wide.writeUInt32BE(8001, 16);

const image = (bytes: Buffer) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') },
});
const withImage = (bytes: Buffer) => ({ messages: [{ role: 'user', content: [image(bytes)] }] });
const inResult = (bytes: Buffer) => ({
  tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
  messages: [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [image(bytes)] }],
    },
  ],
});

const CASES: readonly RefusalCase[] = [
  ['a whole image', withImage(PNG), 'accepted'],
  ['one in a result', inResult(PNG), 'accepted'],
  ['one that breaks off', withImage(PNG.subarray(0, 45)), /^Could not process image$/],
  ['one that breaks off in a result', inResult(PNG.subarray(0, 45)), /^Could not process image$/],
  ['a wide one', withImage(wide), /^messages\.0\.content\.0\..* max allowed size: 8000 pixels$/],
  [
    'a large one',
    withImage(Buffer.concat([PNG, Buffer.alloc(4_000_000)])),
    /^messages\.0\.content\.0\.image\.source\.base64: image exceeds 5 MB maximum: \d+ bytes > 5242880 bytes$/,
  ],
];

testRefusals('anthropic', CASES, ', images');
