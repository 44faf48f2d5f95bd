import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ToolDocument } from '../../src/search/tool-search.ts';
import { createLexicalSearch } from '../../src/search.ts';

const tool = (name: string, description: string): ToolDocument => ({
  ...{ key: name, name, group: 'mail', description },
});
/** A small catalog of one domain. */
const mail = [
  tool('send_email', 'Sends an email to people.'),
  tool('search_emails', 'Finds emails by sender, subject or date.'),
  tool('delete_email', 'Moves an email to the trash.'),
  tool('create_label', 'Creates a label for emails.'),
];

function firstOf(query: string, documents: readonly ToolDocument[] = mail, hidden = '') {
  const search = createLexicalSearch();
  search.index(documents);
  const allows = (key: string) => key !== hidden;
  const [first] = search.search(query, { limit: 5, allows, explain: true });
  const { fits } = search.scale ?? assert.fail('no scale');
  return { score: first?.score ?? 0, isFit: (first?.score ?? 0) >= fits, signs: first?.why?.signs };
}

suite('when nothing fits', () => {
  test('a need of the domain fits, one of another does not', () => {
    for (const query of ['send email', 'find mails by subject', 'remove an email'])
      assert.ok(firstOf(query).isFit, query);
    for (const query of ['send a voice message', 'create kubernetes deployment', 'search flights'])
      assert.ok(!firstOf(query).isFit, query);
  });

  test('one tool is enough, and its score is the same among others', () => {
    const [alone] = mail;
    assert.ok(alone);
    assert.ok(firstOf('send email to colleague', [alone]).isFit);
    const others = [alone, tool('list_buckets', 'Shows storage buckets.')];
    assert.equal(
      firstOf('send email to colleague', [alone]).score,
      firstOf('send email to colleague', others).score,
    );
  });

  test('a small catalog is doubted less, by the number of tools that the search may see', () => {
    const fewTools = (count: number, hidden = '') => {
      const others = Array.from({ length: count - mail.length }, (_, n) => tool(`other_${n}`, ''));
      return firstOf('send email', [...mail, ...others], hidden).signs?.fewTools;
    };
    assert.equal(fewTools(4), Math.log(150 / 4));
    assert.equal(fewTools(76, 'other_0'), Math.log(2));
    assert.equal(fewTools(150), 0);
    assert.equal(fewTools(200), 0);
  });

  test('a hidden tool does not count', () => {
    const without = mail.filter(({ key }) => key !== 'create_label');
    assert.deepEqual(
      firstOf('create label', mail, 'create_label'),
      firstOf('create label', without),
    );
  });

  test('the signs say what the reference corpus would answer', () => {
    const { signs } = firstOf('search flights');
    assert.ok(signs && signs.referenceWords > signs.words, JSON.stringify(signs));
  });

  test('only the words that say what a tool is for count: not those of its parameters', () => {
    const flight = { name: 'flight', description: 'The number of a flight.' };
    const documents = [{ ...tool('add_note', 'Writes down a text.'), parameters: [flight] }];
    assert.equal(firstOf('flight', documents).signs?.words, 0);
    assert.equal(firstOf('note', documents).signs?.words, 1);
    assert.ok(!firstOf('text for the flight to Rome', [tool('post', 'Posts a text.')]).isFit);
  });

  test('the most telling word that a tool has counts, a frequent one does not', () => {
    assert.ok((firstOf('send voucher to label').signs?.meaning ?? 0) > 0);
    assert.equal(firstOf('create file', [tool('create_file', '')]).signs?.meaning, 0);
  });
});
