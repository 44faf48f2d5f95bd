import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ReferenceCorpus } from './reference-corpus.ts';
import { stem } from './stem.ts';

const weights = (...words: string[]) => new Map(words.map((word) => [stem(word), 1]));

suite('the reference corpus', () => {
  test('hold words of many domains, by stem', () => {
    const corpus = new ReferenceCorpus(undefined);
    const stems = ['weather', 'flights', 'invoice', 'playlist', 'repository'].map(stem);
    const known = [...stems, 'zzyzx'].filter((one) => corpus.has(one));
    assert.deepEqual(known, stems);
  });

  test('the best tool counts, not several together', () => {
    const corpus = new ReferenceCorpus(undefined);
    assert.equal(corpus.highestWeight(weights('calendar', 'event')), 2);
    assert.equal(corpus.highestWeight(weights('forecast', 'invoice')), 1);
    assert.equal(corpus.highestWeight(weights('zzyzx')), 0);
    assert.equal(corpus.highestWeight(weights('weather')), 1);
  });

  test('are near in meaning only with word vectors', () => {
    assert.equal(new ReferenceCorpus(undefined).nearest(new Float32Array(2)), undefined);
    const corpus = new ReferenceCorpus({
      dimensions: 2,
      add(word, weight, sum) {
        const at = word === 'weather' ? 0 : 1;
        sum[at] = (sum[at] ?? 0) + weight;
        return true;
      },
    });
    const other = corpus.nearest(Float32Array.of(0, 1))?.similarity ?? 0;
    const weather = corpus.nearest(Float32Array.of(1, 0))?.similarity ?? 0;
    assert.ok(other > 0.99, `${other}`);
    assert.ok(weather > 0 && weather < other, `${weather}`);
  });
});
