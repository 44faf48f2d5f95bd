import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { Conversation } from '../../test/conversation.test-support.ts';
import { ENDPOINTS, modelOn } from '../../test/endpoints.test-support.ts';
import { DISPATCH } from '../../test/scenarios.test-support.ts';
import { Talk } from '../../test/talk.test-support.ts';
import { resultsOn } from '../../test/wire.test-support.ts';
import { createFold, type Fold, type FoldOptions } from '../index.ts';
import { mcpOutput } from './mcp-output.ts';

const { call } = DISPATCH;
/** One transparent pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const JPEG = '/9j/4AAQSkZJRgABAQEASABIAAD/2Q==';

describe('results of MCP tools', () => {
  const cases: [string, unknown, unknown][] = [
    [
      'text',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { type: 'text', value: 'a\nb' },
    ],
    [
      'an error',
      { content: [{ type: 'text', text: 'bad' }], isError: true },
      { type: 'error-text', value: 'bad' },
    ],
    [
      'structured only',
      { content: [], structuredContent: { a: 1 } },
      { type: 'json', value: { a: 1 } },
    ],
    [
      'an error without a text',
      { content: [], isError: true },
      { type: 'error-text', value: 'The tool failed and said nothing.' },
    ],
    ['empty', { content: [] }, { type: 'text', value: '' }],
    ['no MCP result', { content: 'text' }, { type: 'json', value: { content: 'text' } }],
    [
      'a resource of bytes',
      {
        content: [
          {
            type: 'resource',
            resource: { uri: 'x', blob: 'UEsDBAo=', mimeType: 'application/zip' },
          },
        ],
      },
      { type: 'text', value: '[resource application/zip, 5 bytes: it cannot be shown to you]' },
    ],
    [
      'a PDF',
      { content: [{ type: 'resource', resource: { uri: 'x', blob: 'JVBERi0x' } }] },
      {
        type: 'content',
        value: [
          {
            ...{ type: 'file', data: { type: 'data', data: 'JVBERi0x' } },
            ...{ mediaType: 'application/pdf', filename: 'x.pdf' },
          },
        ],
      },
    ],
    [
      'a text resource',
      { content: [{ type: 'resource', resource: { uri: 'x', text: 't' } }] },
      { type: 'text', value: 't' },
    ],
    ['plain text', 'a', { type: 'text', value: 'a' }],
    ['nothing', undefined, { type: 'json', value: null }],
  ];
  for (const [name, output, expected] of cases) {
    test(name, () => assert.deepEqual(mcpOutput(output), expected));
  }

  test('an image with text', () => {
    const output = {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
      ],
    };
    assert.deepEqual(mcpOutput(output), {
      type: 'content',
      value: [
        { type: 'text', text: 'a' },
        { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image/png' },
      ],
    });
  });

  for (const endpoint of ENDPOINTS) {
    test(`promise 1: images and errors from MCP tools keep the prefix on the UI route, ${endpoint.name}`, async () => {
      const execute = (input: unknown) =>
        (input as { bad?: boolean }).bad
          ? { isError: true, content: [{ type: 'text', text: 'bad' }] }
          : {
              content: [
                { type: 'text', text: 'here' },
                { type: 'image', data: PNG, mimeType: 'image/png' },
              ],
            };
      const look = { name: 'look', inputSchema: { type: 'object' }, execute };
      const options: FoldOptions<ToolSet> = {
        strategy: 'dispatch',
        groups: [
          { groupId: 'eye', toolNames: ['look'], resultFormat: 'mcp', loader: async () => [look] },
        ],
      };
      for (const route of ['json', 'ui'] as const) {
        const script = [
          { calls: [call('eye__look', {}), call('eye__look', { bad: true })] },
          { text: 'Done.' },
          { text: 'Bye.' },
        ];
        await using server = await startModelServer({ script });
        const fold = () => createFold(options) as Fold<ToolSet>;
        const conversation = new Conversation({
          mode: 'stream',
          route,
          model: modelOn(server, endpoint),
          fold,
        });
        await conversation.say('Go.');
        await conversation.say('And?');
        const report = auditPrefix(server.requests);
        assert.ok(report.held, formatAuditReport(report));
        assert.match(resultsOn(server.requests.at(-1) ?? assert.fail())[1]?.text ?? '', /bad/);
      }
    });
  }
});

const text = (...texts: readonly string[]) => texts.map((one) => ({ type: 'text', text: one }));

describe('structured content of MCP tools', () => {
  const DATA = { orders: [{ id: 'A' }], count: 1 };
  const SORTED = '{"count":1,"orders":[{"id":"A"}]}';
  const cases: Readonly<Record<string, readonly [given: object, expected: string]>> = {
    'beside a short text': [
      { content: text('1 order.'), structuredContent: DATA },
      `1 order.\n${SORTED}`,
    ],
    'with its keys sorted by a store': [
      { content: text('1 order.'), structuredContent: { count: 1, orders: [{ id: 'A' }] } },
      `1 order.\n${SORTED}`,
    ],
    'beside an empty text': [{ content: text(''), structuredContent: DATA }, `\n${SORTED}`],
    'as the text says': [
      { content: text(JSON.stringify(DATA, null, 2)), structuredContent: DATA },
      JSON.stringify(DATA, null, 2),
    ],
    'as one of two texts says': [
      { content: text('1 order.', SORTED), structuredContent: DATA },
      `1 order.\n${SORTED}`,
    ],
    'as the text says, but for one value': [
      { content: text('{"count":2}'), structuredContent: { count: 1 } },
      '{"count":2}\n{"count":1}',
    ],
    'around the text': [{ content: text('ok'), structuredContent: { result: 'ok' } }, 'ok'],
    'around a number': [{ content: text('5'), structuredContent: { result: 5 } }, '5'],
    'around a list': [
      { content: text('a', '{"b":1}'), structuredContent: { result: ['a', { b: 1 }] } },
      'a\n{"b":1}',
    ],
    'around another text': [
      { content: text('done'), structuredContent: { result: 'ok' } },
      'done\n{"result":"ok"}',
    ],
    'around null': [
      { content: text('none'), structuredContent: { result: null } },
      'none\n{"result":null}',
    ],
    'that is null': [{ content: text('none'), structuredContent: null }, 'none'],
  };
  for (const [name, [given, expected]] of Object.entries(cases)) {
    for (const isError of [false, true])
      test(`${name}${isError ? ', of an error' : ''}`, () => {
        const type = isError ? 'error-text' : 'text';
        assert.deepEqual(mcpOutput({ ...given, isError }), { type, value: expected });
      });
  }

  test('that is all of an error', () => {
    const output = mcpOutput({ content: [], structuredContent: DATA, isError: true });
    assert.deepEqual(output, { type: 'error-text', value: SORTED });
  });

  test('that cannot be written as JSON leaves a remark', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const { type, value } = mcpOutput({ content: text('ok'), structuredContent: circle }) as {
      type: string;
      value: string;
    };
    assert.equal(type, 'text');
    assert.match(value, /^ok\n\{"self":"\[The tool has run\./);
  });
});

const image = (data: string, mimeType?: string) => ({
  type: 'image',
  data,
  ...(mimeType === undefined ? {} : { mimeType }),
});
const file = (data: string, mediaType: string) => ({
  type: 'file',
  data: { type: 'data', data },
  mediaType,
});

describe('images of MCP tools', () => {
  const shown: Readonly<Record<string, readonly [given: object, expected: object]>> = {
    'of the type it says': [image(PNG, 'image/png'), file(PNG, 'image/png')],
    'of another type than it says': [image(JPEG, 'image/png'), file(JPEG, 'image/jpeg')],
    'of a type that is none': [image(PNG, 'picture'), file(PNG, 'image/png')],
    'without a type': [image(PNG), file(PNG, 'image/png')],
    'in lines': [image(PNG.replace(/.{20}/g, '$&\r\n'), 'image/png'), file(PNG, 'image/png')],
    'written for URLs': [
      image(PNG.replaceAll('+', '-').replaceAll('/', '_'), 'image/png'),
      file(PNG, 'image/png'),
    ],
    'without padding': [image(PNG.replaceAll('=', ''), 'image/png'), file(PNG, 'image/png')],
  };
  for (const [name, [given, expected]] of Object.entries(shown)) {
    test(name, () =>
      assert.deepEqual(mcpOutput({ content: [given] }), { type: 'content', value: [expected] }),
    );
  }

  test('an image with invalid data is described as text', () => {
    const output = mcpOutput({ content: [image(`${PNG.slice(0, 30)}%%${PNG}`, 'image/png')] });
    assert.deepEqual(output, {
      type: 'text',
      value: '[image image/png, 94 bytes: it cannot be shown to you]',
    });
  });
});

/** Content of results that providers refuse, or that the SDK's providers cannot send. */
const REFUSED: Readonly<Record<string, readonly object[]>> = {
  audio: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
  'an image of unknown bytes': [image('AAAA', 'image/png')],
  'an image of no type': [image('AAAA')],
  'an image of an odd type': [image('AAAA', '/')],
  'an image of a type with a line break': [image(PNG, 'image/png\r\nx: y')],
  'a drawing': [image('PHN2Zy8+', 'image/svg+xml')],
  'a document as an image': [image('JVBERi0=', 'application/pdf')],
  'an image of no bytes': [image('', 'image/png')],
  'an image of broken base64': [image('%%%', 'image/png')],
  'an empty text': [{ type: 'text', text: '' }],
  'an empty text beside an image': [{ type: 'text', text: '' }, image(PNG, 'image/png')],
  'half a character': [{ type: 'text', text: 'a\ud800b' }],
  'half a character in a block of an unknown kind': [{ type: 'new', text: 'a\ud800b' }],
};

const ROWS = combinations({
  endpoint: ENDPOINTS,
  name: Object.keys(REFUSED),
  route: ['live', 'ui'],
});

describe(`no result of an MCP tool breaks the conversation, ${selection}`, () => {
  for (const endpoint of ENDPOINTS) {
    for (const [name, content] of Object.entries(REFUSED)) {
      const rows = ROWS.filter((row) => row.endpoint === endpoint && row.name === name);
      test(`promise 1: ${name}, ${endpoint.name}`, async () => {
        const execute = async () => ({ content });
        const look = { name: 'look', inputSchema: { type: 'object' }, execute };
        for (const { route } of rows) {
          await using server = await startModelServer({
            script: [{ calls: [call('eye__look', {})] }, { text: 'Done.' }, { text: 'Bye.' }],
          });
          const talk = new Talk({
            mode: 'stream',
            route,
            handing: 'spread',
            model: modelOn(server, endpoint),
            fold: () =>
              createFold({
                strategy: 'dispatch',
                groups: [
                  {
                    groupId: 'eye',
                    toolNames: ['look'],
                    resultFormat: 'mcp',
                    loader: async () => [look],
                  },
                ],
              }) as Fold<ToolSet>,
          });
          await talk.say('Go.');
          await talk.say('And?');
          assert.equal(server.requests.length, 3);
          assert.ok(server.requests.every(({ raw }) => !/(?<!\\)\\ud[89a-f]/i.test(raw)));
          const report = auditPrefix(server.requests);
          assert.ok(report.held, `${route}: ${formatAuditReport(report)}`);
        }
      });
    }
  }
});

test('a PDF has the last part of its URI as its name', () => {
  const names = [
    ['file:///a.pdf', 'a.pdf'],
    ['file:///reports/July%20%3Cb%3E.PDF', 'July ‹b›.pdf'],
    ['http://127.0.0.1/export?id=3#page', 'export.pdf'],
    ['file:///%E0%A4%A.pdf', '%E0%A4%A.pdf'],
    ['file:///', 'document.pdf'],
    [undefined, 'document.pdf'],
    [`file:///${'x'.repeat(500)}.pdf`, /^x{50,}…?\.pdf$/],
  ] as const;
  for (const [uri, expected] of names) {
    const resource = { ...(uri !== undefined && { uri }), blob: 'JVBERi0x' };
    const output = mcpOutput({ content: [{ type: 'resource', resource }] });
    const [part] = output.type === 'content' ? output.value : [];
    const name = part?.type === 'file' ? part.filename : undefined;
    if (typeof expected === 'string') assert.equal(name, expected, uri);
    else assert.match(name ?? '', expected);
  }
});
