import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Category } from '@toolfold/config/internal/settings/tools.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import fc from 'fast-check';
import { ROUTED_PHRASES } from '../../test/routing-phrases.test-support.ts';
import { CATEGORIES } from './categories.ts';
import { categoriesWith, createRouter, type Router, toolsOf } from './routing.ts';

const router = createRouter();

function namesFor(user: string, assistant?: string, by: Router = router): string {
  return by
    .match({ user, assistant })
    .map(({ name }) => name)
    .join(' ');
}

function category(name: string, words: readonly string[], not?: readonly string[]): Category {
  return { name, words, not, tools: [`mcp:${name}`] };
}

suite('phrases', () => {
  for (const [user, expected, assistant] of ROUTED_PHRASES) {
    const label = user.length > 60 ? `${user.slice(0, 60)}… (${user.length})` : user;
    test(`${JSON.stringify(label)} ${assistant ? 'after a turn' : ''}: ${expected || 'nothing'}`, () => {
      assert.equal(namesFor(user, assistant), expected);
    });
  }
});

suite('how words match', () => {
  const small = createRouter([
    category(
      'box',
      ['box', 'story book', 'try', '*.abc'],
      ['box office', 'office box', 'one two three box', 'two three'],
    ),
    category('office', ['office', 'box office report']),
  ]);
  const namesIn = (text: string) => namesFor(text, undefined, small);

  test('English plurals of the last word, no other endings', () => {
    for (const text of ['boxes', 'story books', 'tries', 'A box.', '(box)', 'box-like', 'my_box']) {
      assert.equal(namesIn(text), 'box', text);
    }
    for (const text of ['boxed', 'boxs', 'stories book', 'trys', 'inbox', 'box1']) {
      assert.equal(namesIn(text), '', text);
    }
  });

  test('an excluded phrase hides its words from its own category only', () => {
    assert.equal(namesIn('box office'), 'office');
    assert.equal(namesIn('box office box'), 'office');
    assert.equal(namesIn('box office, another box'), 'box office');
    assert.equal(namesIn('box office report'), 'office');
    assert.equal(namesIn('one two three box'), '');
  });

  test('a file or host name matches by its ending, a mail address as a whole', () => {
    assert.equal(namesIn('see x.abc!'), 'box');
    assert.equal(namesIn('x.abc.def, .abc, abc, ann@x.abc'), '');
  });

  test('names of Object.prototype are ordinary words', () => {
    const odd = createRouter([category('constructor', ['__proto__', 'constructor'])]);
    assert.equal(namesFor('toString hasOwnProperty', undefined, odd), '');
    assert.equal(namesFor('the constructor', undefined, odd), 'constructor');
    assert.equal(namesFor('toString valueOf __proto__ constructor'), '');
  });

  test('a phrase that can never match is refused', () => {
    for (const [words, not] of [[['']], [['?!']], [['fine'], ['***']]] as const) {
      assert.throws(
        () => createRouter([category('mine', words, not)]),
        (error) => error instanceof ToolfoldError && error.code === 'invalid-option',
      );
    }
  });
});

suite('properties', () => {
  test('every phrase of every category finds it, in capitals and amid other words', () => {
    for (const { name, words } of CATEGORIES) {
      for (const phrase of words.filter((text) => !text.includes('*'))) {
        for (const text of [phrase, phrase.toUpperCase(), `(xyzzy ${phrase}), plugh`]) {
          assert.ok(namesFor(text).split(' ').includes(name), `${name}: ${text}`);
        }
      }
    }
  });

  test('no phrase is found inside a longer word, except in East Asian scripts', () => {
    const spaced = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{N} '-]+$/u;
    for (const { words } of CATEGORIES) {
      for (const phrase of words.filter((text) => spaced.test(text))) {
        assert.equal(namesFor(`qz${phrase.replace(/[ '-]/g, '')}qz`), '', phrase);
      }
    }
  });

  test('a turn matches what its two texts match', () => {
    const text = fc
      .array(fc.constantFrom(...ROUTED_PHRASES.slice(0, 200).map(([user]) => user)), {
        maxLength: 3,
      })
      .map((parts) => parts.join('\n'));
    fc.assert(
      fc.property(text, text, (user, assistant) => {
        const union = new Set([...router.match({ user }), ...router.match({ user: assistant })]);
        const expected = CATEGORIES.filter((one) => union.has(one));
        assert.deepEqual(router.match({ user, assistant }), expected);
      }),
    );
  });

  test('any text is read without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        assert.deepEqual(router.match({ user: text }), router.match({ user: text, assistant: '' }));
      }),
    );
  });
});

suite("the user's categories", () => {
  test('replace by name, remove, and come after the built-in ones', () => {
    const ours = { words: ['gizmo'], tools: ['mcp:gizmo'] };
    const categories = categoriesWith({ gizmos: ours, git: ours, web: false, constructor: ours });
    assert.equal(namesFor('gizmo', undefined, createRouter(categories)), 'git gizmos constructor');
    assert.equal(namesFor('git web', undefined, createRouter(categories)), '');
    assert.deepEqual(categoriesWith({}), CATEGORIES);
  });

  test('tools of several are sorted by code point, each once', () => {
    assert.deepEqual(toolsOf([]), []);
    const some = [
      { ...category('a', ['a']), tools: ['z', 'mcp:a'] },
      { ...category('b', ['b']), tools: ['mcp:a', 'B'] },
    ];
    assert.deepEqual(toolsOf(some), ['B', 'mcp:a', 'z']);
  });
});
