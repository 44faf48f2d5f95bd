import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type Chat, chatsTable } from '../bench/search/honesty/chats.ts';
import { fitText, signedQueries } from '../bench/search/honesty/fit.ts';
import { judgeNeeds, judgeSentences } from '../bench/search/honesty/judge.ts';
import { halfOf, kindOf, type Need } from '../bench/search/honesty/need.ts';
import { needGroups, sentenceGroups } from '../bench/search/honesty/sentences.ts';
import {
  calibrate,
  calibrationTable,
  curveTable,
  honestyTable,
  sentencesTable,
} from '../bench/search/honesty/tables.ts';
import { paraphrasesTable } from '../bench/search/paraphrases.ts';
import { qualityOf } from '../bench/search/quality.ts';
import { readOwnData, readServers, type Servers, toolsOf } from '../bench/search/servers.ts';
import { SCORES } from '../packages/core/src/search/likelihood.ts';
import { createLexicalSearch } from '../packages/core/src/search.ts';

function server(name: string, ...tools: readonly (readonly [string, string])[]) {
  const documents = tools.map(([tool, description]) => ({
    key: `${name}/${tool}`,
    ...{ name: tool, group: name, description },
  }));
  return [name, documents] as const;
}

const servers: Servers = new Map([
  server('mail', ['send_email', 'Sends an email.'], ['delete_email', 'Removes an email.']),
  server('git', ['git_stash', 'Stores changes for later.']),
  server('azure', ['storage', 'Storage of all kinds.'], ['group_list', 'Lists groups.']),
  server('azure-all', ['storage_blob_get', 'Gets blobs.'], ['group_list', 'Lists groups.']),
]);

const need = (id: string, query: string, ...right: string[]): Need => ({
  ...{ id, query, right },
  servers: ['mail', 'git'],
});

const needs = [
  need('served-001', 'send email', 'mail/send_email'),
  need('served-002', 'sending emails', 'mail/send_email'),
  need('served-003', 'put unfinished work aside', 'git/git_stash'),
  need('served-004', 'keep changes', 'git/git_stash'),
  need('served-005', 'book a flight'),
  need('served-006', 'email horoscope forecast today'),
];
const create = () => createLexicalSearch();
const judged = () => judgeNeeds(create, needs, servers);

suite('honesty of the search', () => {
  test('a need is of one half and of one kind', () => {
    assert.deepEqual(needs.map(kindOf), [
      ...['plain', 'plain', 'reworded', 'reworded'],
      ...['not served', 'not served'],
    ]);
    assert.deepEqual(needs.slice(0, 2).map(halfOf), ['report', 'calibration']);
  });

  test('a need is asked over its servers, and again without its right tools', async () => {
    const [plain, , reworded, , flight, near] = await judged();
    assert.deepEqual([plain?.score, plain?.r5], [1, 1]);
    assert.ok((plain?.scoreWithout ?? 1) < 1);
    assert.deepEqual([reworded?.score, reworded?.r5, flight?.score], [0, 0, 0]);
    assert.ok((near?.score ?? 0) > 0 && (near?.score ?? 1) < 0.5);
    const empty = { id: '1', query: 'x', servers: ['none'], right: [] };
    await assert.rejects(judgeNeeds(create, [empty], servers), /the server "none"/);
  });

  test('the tables keep the halves apart', async () => {
    const honesty = { title: 'words', scale: { fits: 0.5, clear: 0.8 }, judged: await judged() };
    const table = honestyTable([honesty]);
    assert.match(table, /\| words \| not served, and told so \| 1 \| 100\.0 \| 1 \| 100\.0 \|/);
    assert.match(table, /wrongly told that nothing fits \| 2 \| \d+\.0 \| 2 \| 50\.0 \|/);
    assert.match(table, /none in common \| 1 \| 100\.0 \| 1 \| 100\.0 \|/);
    assert.match(table, /first hit clear, and right \| 1 \| 100\.0 \| 1 \| 100\.0 \|/);
    assert.match(table, /served: R@5 \| 2 \| 100\.0 \| 2 \| 50\.0 \|/);
    const curve = curveTable([honesty], 0.25);
    assert.deepEqual(curve.match(/^\| 0\.\d+ \| \w*/gm), [
      '| 0.25 | ',
      '| 0.50 | words',
      '| 0.75 | ',
    ]);
  });

  test('only the lines for calibration choose the threshold', async () => {
    const all = await judged();
    const other = all.map((one) => (one.half === 'report' ? { ...one, score: 1 } : one));
    const honesty = (list: typeof all) => ({
      title: 'words',
      scale: { fits: 0.5, clear: 0.8 },
      judged: list,
    });
    assert.deepEqual(calibrate(honesty(all), 0.1), calibrate(honesty(other), 0.1));
    assert.match(calibrationTable(honesty(all), 0.1), /\| -> \d/);
  });

  test('scores are fitted to the lines for calibration alone', async () => {
    const groupsOf = (half: 'calibration' | 'report') => needGroups('own', needs, servers, half);
    const signed = await signedQueries(create, groupsOf('calibration'));
    assert.deepEqual(signed.map(({ isServed }) => isServed).sort(), [false, true, true]);
    const held = await signedQueries(create, groupsOf('report'));
    const text = fitText('words', SCORES.words, signed, held);
    assert.match(text, /^words, fitted to 3 queries:\nright: \{ none: -?\d+\.\d\d, words: /);
    assert.match(text, /\n\| 0\.05 \| \d+\.\d \|/);
  });

  test('queries of sets are asked over all, few and foreign tools, and only these lack the right one', () => {
    const set = (name: string) => {
      const tools = Array.from({ length: 100 }, (_, n) => ({
        key: `${name}/${n}`,
        group: '',
        name: `${n}`,
      }));
      const queries = tools
        .slice(0, 8)
        .map(({ key }) => ({ id: key, text: key, needs: [new Set([key])] }));
      return { name, folder: name, tools, queries };
    };
    const groups = sentenceGroups([set('one'), set('two')], servers, 'report');
    const sizes = new Map(groups.map(({ name, tools }) => [name, tools.length]));
    assert.equal(sizes.get('one'), 100);
    assert.equal(sizes.get('one, few tools'), 62);
    for (const { name, tools, queries } of groups) {
      const keys = new Set(tools.map(({ key }) => key));
      const isServed = !/elsewhere|another/.test(name);
      for (const { text, right } of queries) {
        assert.equal(right.length > 0, isServed, name);
        assert.equal(keys.has(text), isServed, name);
      }
    }
  });

  test('sentences are served: whoever is told that nothing fits is told so wrongly', async () => {
    const tools = toolsOf(servers, ['*']);
    const asked = (id: string, text: string, key: string) => ({
      id,
      text,
      needs: [new Set([key])],
    });
    const sentences = await judgeSentences(create, {
      tools,
      queries: [
        asked('1', 'Stores changes for later', 'git/git_stash'),
        asked('2', 'Something else entirely', 'mail/send_email'),
      ],
    });
    assert.equal(sentences[1]?.score, 0);
    const table = sentencesTable([
      { set: 's', title: 'words', scale: { fits: 0.5, clear: 0.8 }, judged: sentences },
    ]);
    assert.match(table, /\| s \| words \| 2 \| 50\.0 \| 100\.0 \|/);
  });
});

suite('the own data of the benchmark', () => {
  test('has two equal halves of the same kinds', () => {
    const served = readOwnData<Need>('served.jsonl');
    const count = (half: string) =>
      served.filter((one) => halfOf(one) === half && one.right.length === 0).length;
    assert.equal(count('report'), count('calibration'));
    const plain = readOwnData<Need>('plain.jsonl');
    const known = new Set(served.map(({ query }) => query));
    assert.ok(plain.every(({ query }) => !known.has(query)));
  });

  test('the queries of other authors are unique, and say whether a tool of their catalog serves them', () => {
    const chats = readOwnData<Chat>('chats.jsonl');
    for (const lines of [readOwnData<Need>('verbs.jsonl'), chats]) {
      assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
      assert.equal(new Set(lines.map(({ query }) => query)).size, lines.length);
      for (const { id, servers, right } of lines)
        for (const tool of right) assert.ok(servers.includes(tool.split('/')[0] ?? ''), id);
    }
    for (const { id, right, kind } of chats)
      assert.equal(right.length === 0, kind !== undefined, id);
  });

  test('the table of sentences to an assistant counts those that are not served by kind', () => {
    const scale = { fits: 0.1, clear: 0.8 };
    const judged = (score: number, r1 = 0) => ({
      ...{ half: 'report' as const, kind: 'plain' as const, score, scoreWithout: 0, r1, r5: r1 },
    });
    const need = { id: 'chat-1', query: 'q', servers: [], right: [] };
    const table = chatsTable(
      [
        {
          title: 'words',
          scale,
          judged: [judged(0.5, 1), judged(0.05), judged(0.05), judged(0.2)],
        },
      ],
      [need, need, { ...need, kind: 'foreign' }, { ...need, kind: 'near' }],
    );
    assert.match(table, /served: R@1 \| 2 \| 50\.0/);
    assert.match(table, /wrongly told that nothing fits \| 2 \| 50\.0/);
    assert.match(table, /foreign kind, and told so \| 1 \| 100\.0/);
    assert.match(table, /near to some tools, and told so \| 1 \| 0\.0/);
  });

  test('no paraphrase shares a word with the name of a right tool', () => {
    const paraphrases = readOwnData<Need>('paraphrases.jsonl');
    assert.deepEqual(
      paraphrases.filter((one) => kindOf(one) !== 'reworded'),
      [],
    );
    assert.equal(new Set(paraphrases.map(({ query }) => query)).size, paraphrases.length);
  });

  test('the table of paraphrases has a row for each half, over the queries of all catalogs', () => {
    const set = (folder: string, name: string) => ({ name, folder, tools: [], queries: [] });
    const hit = (rank: number) =>
      qualityOf([...Array(rank).fill('x'), 'a'], { needs: [new Set('a')] });
    const row = (name: string, ...ranks: readonly number[]) => ({
      ...{ method: 'm', set: name, indexMs: 1, times: [], stopped: false },
      qualities: ranks.map(hit),
    });
    const table = paraphrasesTable({
      methods: [{ id: 'm', title: 'Method', isOurs: true }],
      sets: [set('report', 'report a'), set('report', 'report b'), set('calibration', 'even a')],
      measured: [row('report a', 0, 1), row('report b', 1, 9), row('even a', 0)],
    });
    assert.match(table, /\| report \| Method \| 4 \| 25\.0 \| 75\.0 \|/);
    assert.match(table, /\| calibration \| Method \| 1 \| 100\.0 \| 100\.0 \|/);
  });

  test('captured lists are read by server; none without a folder', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const list = { server: 'mail', tools: [{ name: 'send', inputSchema: {} }] };
    writeFileSync(join(folder, 'mail.json'), JSON.stringify(list));
    assert.deepEqual(
      toolsOf(readServers(folder), ['*']).map(({ key, group }) => [key, group]),
      [['mail/send', 'mail']],
    );
    assert.equal(readServers(join(folder, 'none')).size, 0);
  });
});
