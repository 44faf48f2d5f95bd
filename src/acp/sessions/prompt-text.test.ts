import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { promptText } from './prompt-text.ts';

const CASES: readonly (readonly [string, ContentBlock[], string])[] = [
  [
    'texts',
    [
      { type: 'text', text: 'One' },
      { type: 'text', text: ' ' },
      { type: 'text', text: 'Two' },
    ],
    'One\n\nTwo',
  ],
  [
    'links',
    [
      { type: 'resource_link', name: 'a', uri: 'file:///x/a%20b.ts#L3' },
      { type: 'resource_link', name: 'b', title: 'B', uri: 'https://example.com/b' },
      { type: 'resource_link', name: 'c', uri: 'no address' },
    ],
    'a: /x/a b.ts#L3\n\nB: https://example.com/b\n\nc: no address',
  ],
  [
    'the text of a file, whatever it holds',
    [{ type: 'resource', resource: { uri: 'file:///a.md', text: '```\ncode\n````' } }],
    '/a.md:\n`````\n```\ncode\n````\n`````',
  ],
  [
    'a file that is no text',
    [
      {
        type: 'resource',
        resource: { uri: 'file:///a.bin', blob: 'AAAA', mimeType: 'image/png' },
      },
    ],
    '/a.bin: not shown, because it is no text (image/png, about 3 bytes)',
  ],
];

for (const [name, blocks, expected] of CASES)
  test(`a prompt with ${name}`, () => assert.equal(promptText(blocks), expected));

test('a prompt that says nothing, or has content of another type', () => {
  for (const blocks of [[], [{ type: 'text', text: '' }]] as ContentBlock[][])
    assert.throws(() => promptText(blocks), { code: -32602, message: /empty/ });
  const image: ContentBlock = { type: 'image', data: '', mimeType: 'image/png' };
  assert.throws(() => promptText([image]), { code: -32602, message: /type "image"/ });
});
