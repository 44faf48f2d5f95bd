import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Explanation } from '@toolfold/core/internal/search/tool-search.ts';
import { matchesJson, matchesText, whyText } from './search.ts';

const style = (_style: unknown, text: string): string => text;
const tool = { id: 'a/x', name: 'x', group: 'a', description: 'Does it.' };
const why: Explanation = {
  words: [
    { word: 'isue', repaired: 'issue', fields: ['name', 'description'], share: 0.75 },
    { word: 'open', fields: ['description'], share: 0.25 },
  ],
  unknown: ['zebra'],
  name: 'end' as const,
  similarity: 0.4213,
};

suite('the output of a search', () => {
  test('equal tools stand in one line, with their groups', () => {
    const twins = [
      { ...tool, id: 'b/x', group: 'b' },
      { ...tool, id: 'b/y', group: 'b' },
    ];
    const match = { tool, score: 0.5, twins };
    assert.match(matchesText([match], { style }), /^x {5}a, b {3}Does it$/m);
    assert.deepEqual(JSON.parse(matchesJson({ matches: [match], fits: 0.2, ms: 1 })).matches, [
      {
        ...{ name: 'x', group: 'a', score: 0.5 },
        twins: [
          { name: 'x', group: 'b' },
          { name: 'x', group: 'b' },
        ],
      },
    ]);
  });

  test('the JSON says whether a tool fits', () => {
    const fits = (matches: readonly { tool: typeof tool; score: number }[]) =>
      JSON.parse(matchesJson({ matches, fits: 0.5, ms: 1 })).fits;
    assert.deepEqual(
      [fits([{ tool, score: 0.5 }]), fits([{ tool, score: 0.4 }]), fits([])],
      [true, false, false],
    );
  });

  test('the reasons stand under the tool', () => {
    assert.equal(
      whyText(why),
      'the end of its name; isue (read as issue) in name, description: 75 %; ' +
        'open in description: 25 %; similarity in meaning: 0.42; in no tool: zebra',
    );
    assert.match(
      whyText({ ...why, doesOther: true }),
      /0\.42; does something else than asked; in no/,
    );
    const hostile = { ...why, unknown: ['z\u001b[31m\nebra'] };
    const [, , line = ''] = matchesText([{ tool, score: 1, why: hostile }], { style }).split('\n');
    assert.match(line, /^ {4}the end of its name; .*in no tool: z ebra$/);
  });
});
