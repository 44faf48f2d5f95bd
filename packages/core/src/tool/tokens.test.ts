import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from './tokens.ts';

const catalogs = new URL('../../../../../shared/catalogs/', import.meta.url);

function assertWithin(share: number, text: string, label: string): void {
  const exact = countTokens(text);
  const error = estimateTokens(text) / exact - 1;
  assert.ok(Math.abs(error) <= share, `${label}: off by ${(error * 100).toFixed(1)} % of ${exact}`);
}

const noun = fc.constantFrom(
  ...'account branch calendar channel comment customer deployment document environment'.split(' '),
  ...'invoice issue label message milestone organization page payment project'.split(' '),
  ...'repository role schedule secret session spreadsheet subscription user workspace'.split(' '),
);
const verb = fc.constantFrom(
  ...'archive assign cancel create delete export fetch list merge publish'.split(' '),
  ...'rename restore search send update upload'.split(' '),
);
const identifier = fc
  .tuple(verb, noun, fc.constantFrom('_', '-', ''))
  .map(([v, n, separator]) =>
    separator === '' ? `${v}${n[0]?.toUpperCase()}${n.slice(1)}` : `${v}${separator}${n}`,
  );
const sentence = fc
  .tuple(verb, noun, noun)
  .map(([v, n, m]) => `The ${n} to ${v}, as the ${m} knows it. Defaults to the first one.`);
const property = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'boolean'), description: sentence }),
  fc.record({ type: fc.constant('integer'), minimum: fc.nat(10), maximum: fc.nat(10_000) }),
  fc.record({ type: fc.constant('array'), items: fc.record({ type: fc.constant('string') }) }),
  fc.record({ enum: fc.uniqueArray(noun, { minLength: 2, maxLength: 6 }), description: sentence }),
);
const toolDefinition = fc.record({
  name: identifier,
  description: sentence,
  parameters: fc
    .dictionary(identifier, property, { minKeys: 1, maxKeys: 8, noNullPrototype: true })
    .map((properties) => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties,
      required: Object.keys(properties).slice(0, 2),
      additionalProperties: false,
    })),
});

suite('against o200k_base', () => {
  test('generated lists of tool definitions are within 10 %', () => {
    const lists = fc.array(toolDefinition, { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(lists, (list) => assertWithin(0.1, JSON.stringify(list), 'generated list')),
      { numRuns: 200 },
    );
  });

  const skip = existsSync(catalogs) ? false : 'no ../shared/catalogs beside this checkout';
  test('real tool lists are within 10 %', { skip }, () => {
    const files = readdirSync(catalogs).filter((file) => file.endsWith('.json'));
    assert.ok(files.length > 0);
    for (const file of files) {
      const { tools } = JSON.parse(readFileSync(new URL(file, catalogs), 'utf8'));
      const definitions = tools.map((tool: Record<string, unknown>) => ({
        name: tool.name,
        description: tool.description,
        parameters: tool.inputSchema,
      }));
      assertWithin(0.1, JSON.stringify(definitions), file);
    }
  });

  const texts: Record<string, string> = {
    names:
      'create_issue, list-mail-messages, getUserById, delete_repository, searchDocuments, ' +
      'update-calendar-event, list_pull_requests, sendMessage, read_multiple_files, git_status',
    English:
      'Load the tools you need, then call them; if you already know the arguments, call at once. ' +
      'Before you tell the user that something cannot be done, search for a tool that does it.',
    Russian:
      'Создайте новую задачу в проекте и назначьте её пользователю. Если пользователь не найден, ' +
      'верните понятное сообщение об ошибке и список похожих имён.',
    Chinese:
      '在项目中创建一个新任务并分配给用户。如果找不到用户,请返回清晰的错误信息和相似名称的列表。',
    Japanese:
      'プロジェクトに新しいタスクを作成し、ユーザーに割り当てます。見つからない場合はエラーを返します。',
    Korean:
      '프로젝트에 새 작업을 만들고 사용자에게 할당합니다. 사용자를 찾을 수 없으면 오류를 반환합니다.',
  };
  for (const [label, text] of Object.entries(texts)) {
    test(`${label} is within 20 %`, () => assertWithin(0.2, text, label));
  }
});

suite('as a measure', () => {
  const piece = fc.constantFrom(
    'a',
    'Z',
    'é',
    'ж',
    '中',
    '7',
    ' ',
    '\n',
    '{"',
    '-',
    '😀',
    '_',
    '\0',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join('')),
    fc.tuple(piece, fc.nat(2_000)).map(([unit, count]) => unit.repeat(count)),
  );

  test('is a non-negative integer, 0 for empty text only', () => {
    assert.equal(estimateTokens(''), 0);
    fc.assert(
      fc.property(text, (value) => {
        const tokens = estimateTokens(value);
        assert.ok(Number.isInteger(tokens) && tokens >= 0);
        assert.equal(tokens === 0, value === '');
      }),
    );
  });

  test('of a concatenation is the sum of the parts, give or take five', () => {
    const five = ['Z'.repeat(14), 'a中中'] as const;
    assert.equal(estimateTokens(five.join('')), 3);
    assert.deepEqual(five.map(estimateTokens), [5, 3]);
    fc.assert(
      fc.property(text, text, (a, b) => {
        const apart = estimateTokens(a) + estimateTokens(b);
        assert.ok(Math.abs(estimateTokens(a + b) - apart) <= 5);
      }),
      { numRuns: 2_000 },
    );
  });

  test('grows in proportion over a megabyte of one character', () => {
    for (const unit of [' ', 'a', 'A', '7', '-', '{', '\\', '\n', '中', 'ж', '\ud800', '😀']) {
      const small = estimateTokens(unit.repeat(10_000));
      const large = estimateTokens(unit.repeat(1_000_000));
      assert.ok(Math.abs(large / small - 100) < 2, `${JSON.stringify(unit)}: ${small}, ${large}`);
    }
  });
});
