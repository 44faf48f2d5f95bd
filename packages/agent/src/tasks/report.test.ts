// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { cleaned } from '../../test/subagents/cleaned.test-support.ts';
import { RESULT_BYTES } from './engine.ts';
import { type ReportedTask, reportOf, type SubagentReport } from './report.ts';

/** Bytes that a report may leave unused while a text is cut: less than a mark and a character. */
const SLACK = 20;

const statuses = ['done', 'incomplete', 'failed', 'timed_out', 'cancelled', 'not_started'] as const;
const formats = ['structured', 'concise', 'detailed'] as const;

function taskOf(id: string, text: string, rest: Partial<ReportedTask> = {}): ReportedTask {
  return { child: `child-${id}`, id, status: 'done', format: 'structured', text, ...rest };
}

function bytesOf(report: SubagentReport): number {
  return Buffer.byteLength(JSON.stringify(report));
}

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('"\\', '\n', '😀', '\ud800', '\0\u0007', 'é', 'word '),
);
/** Short, long and very long texts, with characters of one to four bytes and with escapes. */
const text = fc
  .tuple(piece, fc.oneof(fc.nat(3), fc.nat(300), fc.nat(6_000)))
  .map(([unit, times]) => unit.repeat(times));
const item = fc.oneof(
  piece,
  fc.nat(500).map((times) => 'long '.repeat(times)),
);
const fields = fc
  .record({ summary: text, findings: fc.array(item), open_questions: fc.array(item) })
  .map((value) => JSON.stringify(value));
const withObjects = fc
  .record({ summary: item, findings: fc.array(fc.oneof(item, fc.dictionary(piece, item))) })
  .map((value) => JSON.stringify(value));

function tasks(said: fc.Arbitrary<string>, unit: fc.Arbitrary<string>, maxLength = 50) {
  return fc.uniqueArray(
    fc.record(
      {
        child: fc.constant('child'),
        id: fc.string({ unit, minLength: 1, maxLength: 64 }),
        status: fc.constantFrom(...statuses),
        format: fc.constantFrom(...formats),
        text: said,
        error: fc.oneof(piece, text),
      },
      { requiredKeys: ['child', 'id', 'status', 'format', 'text'] },
    ),
    { maxLength, selector: ({ id }) => id },
  );
}
const ascii = fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code));
const letters = fc.constantFrom(...'abcXYZ019_.-');
const anything = fc.oneof(text, fields, withObjects);

suite('report of subagents', () => {
  test('takes at most its bytes for any answers', () => {
    fc.assert(
      fc.property(tasks(anything, ascii), (list) => {
        assert.ok(bytesOf(reportOf(list, RESULT_BYTES)) <= RESULT_BYTES);
      }),
    );
    fc.assert(
      fc.property(
        tasks(anything, letters),
        fc.integer({ min: 10_000, max: 60_000 }),
        (list, limit) => {
          assert.ok(bytesOf(reportOf(list, limit)) <= limit);
        },
      ),
    );
  });

  test('promise 46: keeps its limit with the largest possible tasks', () => {
    for (const [character, limit] of [
      ['\0', RESULT_BYTES],
      ['x', 10_000],
    ] as const) {
      const list = Array.from({ length: 50 }, (_, index) =>
        taskOf(character.repeat(62) + index.toString().padStart(2, '0'), '"'.repeat(9_000), {
          status: 'not_started',
          error: '\\'.repeat(2_000),
        }),
      );
      const bytes = bytesOf(reportOf(list, limit));
      assert.ok(bytes <= limit, String(bytes));
    }
  });

  test('promise 46: uses its limit up to the byte', () => {
    const list = Array.from({ length: 3 }, (_, index) => taskOf(`t${index}`, 'x'.repeat(50_000)));
    const report = reportOf(list, RESULT_BYTES);
    const bytes = bytesOf(report);
    assert.ok(bytes <= RESULT_BYTES && bytes > RESULT_BYTES - 100, String(bytes));
    assert.ok(report.results.every(({ truncated }) => truncated === true));
  });

  test('promise 46: has results and counts in the order of tasks', () => {
    fc.assert(
      fc.property(tasks(anything, ascii), (list) => {
        const { summary, results } = reportOf(list, RESULT_BYTES);
        assert.deepEqual(
          results.map(({ id, status }) => ({ id, status })),
          list.map(({ id, status }) => ({ id, status })),
        );
        const counts = statuses.map((name): [string, number] => [
          name,
          list.filter(({ status }) => status === name).length,
        ]);
        assert.deepEqual(Object.entries(summary), [['total', list.length], ...counts]);
      }),
    );
  });

  test('shows everything if it fits to the byte', () => {
    const quiet = tasks(anything, letters, 8).map((list) =>
      list.map(({ error: _, ...task }) => task),
    );
    fc.assert(
      fc.property(quiet, (list) => {
        const whole = reportOf(list, Number.MAX_SAFE_INTEGER);
        assert.ok(whole.results.every(({ truncated }) => truncated === undefined));
        assert.deepEqual(reportOf(list, bytesOf(whole)), whole);
      }),
    );
  });

  test('an answer is complete, or truncated to its beginning', () => {
    fc.assert(
      fc.property(tasks(text, letters), (list) => {
        for (const [index, result] of reportOf(list, RESULT_BYTES).results.entries()) {
          const said = cleaned(list[index]?.text ?? '');
          assert.ok(JSON.stringify(result).isWellFormed());
          assert.equal('answer' in result, said.trim() !== '');
          const { answer = '', truncated } = result;
          if (truncated) {
            // A task of fifty has room for a few hundred bytes beside its id and error.
            const [, shown = ''] = /^(.+) … \[cut\]$/s.exec(answer) ?? [];
            assert.ok(shown !== '' && said.startsWith(shown));
          } else if ('answer' in result) assert.equal(answer, said);
        }
      }),
    );
  });

  test('wastes nothing while a text is cut', () => {
    const limits = fc.integer({ min: 20_000, max: 60_000 });
    let cut = 0;
    fc.assert(
      fc.property(tasks(fc.oneof(text, fields), letters), limits, (list, limit) => {
        const report = reportOf(list, limit);
        if (report.results.every(({ truncated }) => truncated === undefined)) return;
        cut += 1;
        assert.ok(bytesOf(report) > limit - SLACK, `${bytesOf(report)} of ${limit}`);
      }),
    );
    assert.ok(cut > 10, 'the property was hardly tried');
  });

  test('gives each answer an equal share, and long answers what short ones leave', () => {
    const sizes = [10, 30_000, 0, 9_000, 50_000, 100];
    const list = sizes.map((size, index) => taskOf(`t${index}`, 'x'.repeat(size)));
    const shown = reportOf(list, RESULT_BYTES).results.map(({ answer = '' }) => answer.length);
    assert.deepEqual([shown[0], shown[2], shown[3], shown[5]], [10, 0, 9_000, 100]);
    const [, second = 0, , , fifth = 0] = shown;
    assert.ok(Math.abs(second - fifth) <= 1, `${second} and ${fifth}`);
    assert.ok(second > 25_000);
  });

  test('cuts no answer that is shorter than an equal share', () => {
    fc.assert(
      fc.property(tasks(anything, letters), (list) => {
        const { results } = reportOf(list, RESULT_BYTES);
        // Ids, statuses and errors of 50 tasks take less than 700 bytes each.
        const share = RESULT_BYTES / list.length - 700;
        for (const [index, { truncated }] of results.entries()) {
          const said = list[index]?.text ?? '';
          if (truncated) assert.ok(Buffer.byteLength(JSON.stringify(cleaned(said))) > share);
        }
      }),
    );
  });

  test('the room of an object that does not fit goes to the others', () => {
    const object = JSON.stringify({ summary: 's', findings: [{ big: 'x'.repeat(90_000) }] });
    for (const other of ['y'.repeat(80_000), JSON.stringify({ summary: 'z'.repeat(80_000) })]) {
      const report = reportOf([taskOf('a', object), taskOf('b', other)], RESULT_BYTES);
      assert.deepEqual(report.results[0]?.findings, []);
      assert.equal(report.results[0]?.truncated, true);
      assert.ok(bytesOf(report) > RESULT_BYTES - SLACK, String(bytesOf(report)));
    }
  });

  test('its keys have one order', () => {
    const said = JSON.stringify({ findings: ['f'], summary: 's' });
    const list = [
      taskOf('a', said),
      taskOf('b', 'words', { status: 'incomplete', error: 'Rounds had\nrun out.' }),
      taskOf('c', ' \n', { status: 'cancelled', error: ' \0 ' }),
      taskOf('d', said, { format: 'concise' }),
    ];
    assert.equal(
      JSON.stringify(reportOf(list, RESULT_BYTES)),
      '{"summary":{"total":4,"done":2,"incomplete":1,"failed":0,"timed_out":0,"cancelled":1,"not_started":0},' +
        '"results":[{"id":"a","status":"done","summary":"s","findings":["f"],"open_questions":[]},' +
        '{"id":"b","status":"incomplete","answer":"words","error":"Rounds had run out."},' +
        '{"id":"c","status":"cancelled"},' +
        '{"id":"d","status":"done","answer":"{\\"findings\\":[\\"f\\"],\\"summary\\":\\"s\\"}"}]}',
    );
    const [cut] = reportOf([taskOf('a', 'x'.repeat(70_000), { error: 'e' })], RESULT_BYTES).results;
    assert.deepEqual(Object.keys(cut ?? {}), ['id', 'status', 'answer', 'error', 'truncated']);
  });

  test('an error is one line of at most 300 bytes', () => {
    fc.assert(
      fc.property(fc.oneof(piece, text), (error) => {
        const [result] = reportOf([taskOf('a', '', { status: 'failed', error })], 60_000).results;
        const line = result?.error ?? 'none';
        assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029]/u);
        assert.ok(line.isWellFormed() && Buffer.byteLength(JSON.stringify(line)) <= 300);
      }),
    );
  });

  test('has no results without tasks', () => {
    assert.deepEqual(reportOf([], RESULT_BYTES).results, []);
  });
});
