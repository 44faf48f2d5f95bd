import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stem } from '../terms/index.ts';
import { Background } from './background.ts';

const weights = (...words: string[]) => new Map(words.map((word) => [stem(word), 1]));

suite('the tools elsewhere', () => {
  test('hold words of many domains, by stem', () => {
    const background = new Background(undefined);
    for (const word of ['weather', 'flights', 'invoice', 'playlist', 'repository'])
      assert.ok(background.has(stem(word)), word);
    assert.ok(!background.has('zzyzx'));
  });

  test('the best tool counts, not several together', () => {
    const background = new Background(undefined);
    assert.equal(background.mostHeld(weights('calendar', 'event')), 2);
    assert.equal(background.mostHeld(weights('forecast', 'invoice')), 1);
    assert.equal(background.mostHeld(weights('zzyzx')), 0);
    assert.equal(background.mostHeld(weights('weather')), 1);
  });

  test('are near in meaning only with word vectors', () => {
    assert.equal(new Background(undefined).similarity(new Float32Array(2)), 0);
    const background = new Background({
      dimensions: 2,
      add(word, weight, sum) {
        const at = word === 'weather' ? 0 : 1;
        sum[at] = (sum[at] ?? 0) + weight;
        return true;
      },
    });
    const other = background.similarity(Float32Array.of(0, 1));
    const weather = background.similarity(Float32Array.of(1, 0));
    assert.ok(other > 0.99, `${other}`);
    assert.ok(weather > 0 && weather < other, `${weather}`);
  });
});
