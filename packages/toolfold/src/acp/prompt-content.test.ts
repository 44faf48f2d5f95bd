import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { promptContent } from './prompt.ts';

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
        resource: { uri: 'file:///a.bin', blob: 'AAAA', mimeType: 'audio/mpeg' },
      },
    ],
    '/a.bin: not shown, because it is no text (audio/mpeg, about 3 bytes)',
  ],
];

for (const [name, blocks, expected] of CASES)
  test(`a prompt with ${name}`, () =>
    assert.deepEqual(promptContent(blocks), { text: expected, files: [] }));

test('a prompt with images and a PDF', () => {
  const { text, files } = promptContent([
    { type: 'image', data: 'AAAA', mimeType: 'image/png', uri: 'file:///x/shot.png' },
    { type: 'image', data: 'BBBB', mimeType: 'image/jpeg' },
    {
      type: 'resource',
      resource: { uri: 'file:///x/a.pdf', blob: 'CCCC', mimeType: 'application/pdf' },
    },
  ]);
  const file = (data: string, mediaType: string) => ({ type: 'file' as const, data, mediaType });
  assert.equal(text, '/x/a.pdf');
  assert.deepEqual(files, [
    { ...file('AAAA', 'image/png'), filename: 'shot.png' },
    file('BBBB', 'image/jpeg'),
    { ...file('CCCC', 'application/pdf'), filename: 'a.pdf' },
  ]);
});

test('a prompt that says nothing, or has content of another type', () => {
  for (const blocks of [[], [{ type: 'text', text: '' }]] as ContentBlock[][])
    assert.throws(() => promptContent(blocks), { code: -32602, message: /empty/ });
  const audio: ContentBlock = { type: 'audio', data: '', mimeType: 'audio/wav' };
  assert.throws(() => promptContent([audio]), { code: -32602, message: /type "audio"/ });
});
