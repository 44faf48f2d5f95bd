import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { stem } from './porter2.ts';

const require = createRequire(import.meta.url);
/** Another implementation of Porter2. */
const peer: (word: string) => string = require('wink-porter2-stemmer');

suite('one stem', () => {
  const families = [
    'issue issues',
    'create creates created creating',
    'delete deleted deleting deletion',
    'list lists listed listing',
    'run running runs',
    'repository repositories',
    'search searches searched searching',
    'class classes',
    'query queries',
    'cancel cancelled cancelling cancellation',
    'recommend recommended recommending',
    'convert converts converting',
  ];
  for (const family of families) {
    test(`for ${family}`, () => assert.equal(new Set(family.split(' ').map(stem)).size, 1));
  }
});

suite('different stems', () => {
  for (const pair of ['news new', 'notion note', 'status state', 'thing th', 'read red', 'use bus'])
    test(`for ${pair}`, () => {
      const [one = '', other = ''] = pair.split(' ');
      assert.notEqual(stem(one), stem(other));
    });
});

suite('the algorithm', () => {
  /** A pair for each rule of the published description, with the stems that the description gives. */
  const rules =
    'caresses caress, flies fli, dies die, mules mule, denied deni, died die, agreed agre, ' +
    'owned own, humbled humbl, sized size, meeting meet, stating state, siezing siez, itemization item, ' +
    'sensational sensat, traditional tradit, reference refer, colonizer colon, plotted plot, gas gas, ' +
    'this this, gaps gap, kiwis kiwi, tied tie, cries cri, luxuriated luxuri, hopping hop, hoped hope, ' +
    'by by, say say, cry cri, enjoy enjoy, yellow yellow, generate generat, general general, ' +
    'communism communism, arsenal arsenal, skies sky, dying die, idly idl, inning inning, ' +
    'proceed proceed, exceed exceed, atlas atlas, beautiful beauti, beau beau, analogously analog, ' +
    'adoption adopt, controller control, roll roll, rate rate, cease ceas, happily happili, ' +
    'hesitancy hesit, digitizer digit, conformably conform, radically radic, differently differ, ' +
    'vilely vile, vietnamization vietnam, predication predic, operator oper, feudalism feudal, ' +
    'decisiveness decis, hopefulness hope, callousness callous, formality formal, sensitivity sensit, ' +
    'sensibility sensibl, triplicate triplic, formative format, formalize formal, electrical electr, ' +
    'hopeful hope, goodness good, revival reviv, allowance allow, inference infer, airliner airlin, ' +
    'gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit, replacement replac, ' +
    'adjustment adjust, dependent depend, homologous homolog, effective effect, bowdlerize bowdler';
  for (const pair of rules.split(', ')) {
    const [word = '', expected = ''] = pair.split(' ');
    test(`${word} is ${expected}`, () => assert.equal(stem(word), expected));
  }

  test('agrees with another implementation on the words of a tokenizer', async () => {
    const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
    const words = new Set<string>();
    for (const token of tokens) {
      const word = typeof token === 'string' ? token.trim().toLowerCase() : '';
      if (/^[a-z]{5,}$/.test(word)) words.add(word);
    }
    assert.ok(words.size > 20_000, `${words.size}`);
    const different = [...words].filter((word) => stem(word) !== peer(word));
    assert.deepEqual(different, []);
  });

  const file = process.env.TOOLFOLD_PORTER2_VOCABULARY;
  const skip =
    file !== undefined && existsSync(file)
      ? false
      : 'set TOOLFOLD_PORTER2_VOCABULARY to a file of lines with a word and its stem';
  test('has the stems of the published vocabulary', { skip }, () => {
    const lines = readFileSync(file ?? '', 'utf8')
      .trim()
      .split('\n');
    const different = lines.filter((line) => {
      const [word = '', expected] = line.split(/\s+/);
      return /^[a-z]+$/.test(word) && stem(word) !== expected;
    });
    assert.deepEqual(different, []);
  });
});

suite('any word', () => {
  test('has a stem that is neither empty nor longer than one letter more', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
        const result = stem(word);
        assert.ok(result.length > 0 && result.length <= word.length + 1);
      }),
    );
  });

  test('with other than plain English letters is returned as it is', () => {
    for (const word of ['中文', 'été', '', 'x1s', '\ud800', "it's"]) assert.equal(stem(word), word);
  });
});
