import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SCORES } from '../../../packages/core/src/search/likelihood.ts';
import { createLexicalSearch, type WordVectors } from '../../../packages/core/src/search.ts';
import { readVectors } from '../../../packages/core/src/vectors.ts';
import type { Arguments } from '../arguments.ts';
import { readSets, readTools, setNames } from '../data.ts';
import { SETTINGS } from '../methods/ours.ts';
import { readOwnData, readServers, type Servers } from '../servers.ts';
import { type Chat, chatsTable } from './chats.ts';
import { decileTable, errorTable, fitText, type SignedQuery, signedQueries } from './fit.ts';
import { judgeNeeds, judgeSentences } from './judge.ts';
import type { Half, Need } from './need.ts';
import { needGroups, sentenceGroups } from './sentences.ts';
import {
  calibrationTable,
  curveTable,
  type Honesty,
  honestyTable,
  type SentenceHonesty,
  sentencesTable,
} from './tables.ts';

/** User sentences with known right tools, where the data has them. */
const SENTENCES = 'livemcpbench';
/** Servers without queries. */
const MORE_SERVERS = 'docker-mcp';
const CURVE_STEP = 0.1;
const CALIBRATION_STEP = 0.02;

/** Needs in all wordings: a third of the served ones avoids the words of the tools. */
const NEEDS = 'served.jsonl';
/** Needs in the words that a model writes into a search. */
const PLAIN_NEEDS = 'plain.jsonl';
/** Needs in sentences of users. */
const SENTENCE_NEEDS = 'sentences.jsonl';
/** Sentences of somebody who did not know the search. */
const CHATS = 'chats.jsonl';

/**
 * Measures whether the score of the first hit tells that no tool fits. Prints the calibration.
 * Returns the tables of the page by region; none if there are no captured lists.
 */
export async function measureHonesty(
  { data, catalogs }: Pick<Arguments, 'data' | 'catalogs'>,
  log: (text: string) => void,
): Promise<Map<string, string>> {
  const servers = readServers(catalogs);
  if (servers.size === 0) {
    log(`Skipped: there are no captured lists in ${catalogs}.`);
    return new Map();
  }
  const needs = readOwnData<Need>(NEEDS);
  const plainNeeds = readOwnData<Need>(PLAIN_NEEDS);
  const chatLines = readOwnData<Chat>(CHATS);
  const sets = readSets(data, 'test', [SENTENCES]);
  if (sets.length === 0) log(`Skipped: there are no sentences of ${SENTENCES} in ${data}.`);
  const all: Honesty[] = [];
  const plain: Honesty[] = [];
  const chats: Honesty[] = [];
  const sentences: SentenceHonesty[] = [];
  const held: { title: string; fits: number; queries: SignedQuery[] }[] = [];
  for (const { name: title, create } of SETTINGS) {
    const { scale } = await create();
    if (scale === undefined) continue;
    all.push({ title, scale, judged: await judgeNeeds(create, needs, servers) });
    plain.push({ title, scale, judged: await judgeNeeds(create, plainNeeds, servers) });
    chats.push({ title, scale, judged: await judgeNeeds(create, chatLines, servers) });
    const queries = await signedQueries(create, groupsOf(data, servers, 'report'));
    held.push({ title, fits: scale.fits, queries });
    for (const set of sets) {
      const judged = await judgeSentences(create, set);
      sentences.push({ set: set.name, title, scale, judged });
    }
  }
  for (const honesty of all) log(calibrationTable(honesty, CALIBRATION_STEP));
  const tables = new Map([
    ['honesty', honestyTable(all)],
    ['honesty-plain', honestyTable(plain)],
    ['honesty-chats', chatsTable(chats, chatLines)],
    ['honesty-deciles', decileTable(held)],
    ['honesty-groups', errorTable(held)],
    ['honesty-curve', curveTable(all, CURVE_STEP)],
  ]);
  if (sentences.length > 0) tables.set('honesty-sentences', sentencesTable(sentences));
  return tables;
}

/**
 * Fits the signs of a score to the queries for calibration, and prints what thresholds do with it on those
 * for reports, whose servers are others. Prints what belongs into
 * `packages/core/src/search/likelihood.ts`; changes no file.
 */
export async function fitHonesty(
  { data, catalogs, tables }: Pick<Arguments, 'data' | 'catalogs' | 'tables'>,
  log: (text: string) => void,
): Promise<void> {
  const servers = readServers(catalogs);
  if (servers.size === 0) {
    log(`Skipped: there are no captured lists in ${catalogs}.`);
    return;
  }
  const held: ReadonlyMap<string, WordVectors> =
    tables === undefined ? new Map() : readHeldTables(tables);
  log(
    `Sets with a table that did not see their queries: ${[...held.keys()].join(', ') || 'none'}.`,
  );
  for (const { id, name: title, create, hasVectors } of SETTINGS) {
    const createFor = (set: string) => {
      const vectors = hasVectors ? held.get(set) : undefined;
      return vectors ? createLexicalSearch({ vectors }) : create();
    };
    const fitted = await signedQueries(createFor, groupsOf(data, servers, 'calibration'));
    const reported = await signedQueries(create, groupsOf(data, servers, 'report'));
    log(fitText(title, SCORES[id === 'vectors' ? 'vectors' : 'words'], fitted, reported));
  }
}

/** The tables of a folder by the set whose queries each was trained without. Throws an error if there are none. */
function readHeldTables(folder: string): ReadonlyMap<string, WordVectors> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.bin'));
  if (files.length === 0) throw new Error(`There are no tables SET.bin in ${folder}.`);
  return new Map(
    files.map((file) => [basename(file, '.bin'), readVectors(readFileSync(join(folder, file)))]),
  );
}

/** All queries of a half: those of the sets, over their tools and over recorded servers, and own ones. */
function groupsOf(data: string, servers: Servers, half: Half) {
  const sets = readSets(data, half === 'calibration' ? 'dev' : 'test');
  const more = setNames(data).includes(MORE_SERVERS) ? readTools(data, MORE_SERVERS) : [];
  const elsewhere = new Map([...servers, ...Map.groupBy(more, ({ group }) => group)]);
  return [
    ...sentenceGroups(sets, elsewhere, half),
    ...needGroups('all wordings', readOwnData<Need>(NEEDS), servers, half),
    ...needGroups('plain words', readOwnData<Need>(PLAIN_NEEDS), servers, half),
    ...needGroups('sentences', readOwnData<Need>(SENTENCE_NEEDS), servers, half),
  ];
}
