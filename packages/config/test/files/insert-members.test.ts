import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withServers } from '../../src/settings/edit-settings.ts';

/** A text, and the same text with the servers `b` and `c`. */
const cases: Readonly<Record<string, [string[], string[]]>> = {
  'an empty file': [
    ['{}', ''],
    [
      '{',
      '  "mcpServers": {',
      '    "b": {',
      '      "x": 1',
      '    },',
      '    "c": {}',
      '  }',
      '}',
      '',
    ],
  ],
  'no servers': [
    ['{ "toolfold": {} // t', '}'],
    [
      '{ "toolfold": {}, // t',
      '  "mcpServers": {',
      '    "b": {',
      '      "x": 1',
      '    },',
      '    "c": {}',
      '  }',
      '}',
    ],
  ],
  'a comment only': [
    ['{', '  "servers": {', '    // none', '  }', '}'],
    [
      '{',
      '  "servers": {',
      '    // none',
      '    "b": {',
      '      "x": 1',
      '    },',
      '    "c": {}',
      '  }',
      '}',
    ],
  ],
  'comments behind servers': [
    ['{', '\t"mcpServers": {', '\t\t"a": { "k": [] } // a, too', '\t\t// end', '\t}', '}'],
    [
      '{',
      '\t"mcpServers": {',
      '\t\t"a": { "k": [] }, // a, too',
      '\t\t// end',
      '\t\t"b": {',
      '\t\t\t"x": 1',
      '\t\t},',
      '\t\t"c": {}',
      '\t}',
      '}',
    ],
  ],
  'a trailing comma': [
    ['{', '  "mcpServers": {', '    "a": {}, /* , */', '  },', '}'],
    [
      '{',
      '  "mcpServers": {',
      '    "a": {}, /* , */',
      '    "b": {',
      '      "x": 1',
      '    },',
      '    "c": {}',
      '  },',
      '}',
    ],
  ],
  'one line': [
    ['{"mcpServers":{"a":{}}}'],
    ['{"mcpServers":{"a":{},', '  "b": {', '    "x": 1', '  },', '  "c": {}', '}}'],
  ],
};

for (const [title, [before, after]] of Object.entries(cases)) {
  for (const eol of ['\n', '\r\n']) {
    test(`servers are inserted, and other text stays: ${title}, ${JSON.stringify(eol)}`, () => {
      const text = withServers(before.join(eol), [
        ['b', { x: 1 }],
        ['c', {}],
      ]);
      const isKnown = before.join(eol).includes(eol);
      assert.equal(text, after.join(isKnown ? eol : '\n'));
    });
  }
}

test('no place for servers: the text stays', () => {
  for (const text of ['[]', '{"mcpServers":3}', ''])
    assert.equal(withServers(text, [['a', {}]]), text);
});
