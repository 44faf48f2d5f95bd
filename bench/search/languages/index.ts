import { createTranslator } from '../../../src/languages/index.ts';
import { createLexicalSearch } from '../../../src/tools/search/index.ts';
import { loadVectors } from '../../../src/vectors/index.ts';
import type { Arguments } from '../arguments.ts';
import { readOwnData, readServers, toolsOf } from '../servers.ts';
import { answersOf, languagesTable } from './measure.ts';
import { type Question, withoutDispatchers } from './question.ts';

/**
 * Asks the queries in other languages over all captured tools. Returns the table of the page by
 * region; none if there are no captured lists.
 */
export async function measureLanguages(
  { catalogs }: Pick<Arguments, 'catalogs'>,
  log: (text: string) => void,
): Promise<Map<string, string>> {
  const servers = readServers(catalogs);
  if (servers.size === 0) {
    log(`Skipped: there are no captured lists in ${catalogs}.`);
    return new Map();
  }
  const questions = readOwnData<Question>('languages.jsonl');
  const tools = toolsOf(servers, ['*']);
  const vectors = await loadVectors();
  const translate = createTranslator();
  const ways = [
    { title: 'words', search: createLexicalSearch() },
    { title: 'words and vectors', search: createLexicalSearch({ vectors }) },
    { title: 'translated, words', search: createLexicalSearch({ translate }) },
    { title: 'translated, words and vectors', search: createLexicalSearch({ vectors, translate }) },
  ].map(({ title, search }) => ({ title, answers: answersOf(search, tools, questions) }));
  const credits = [
    { title: 'every right tool', questions },
    { title: 'none for dispatchers', questions: withoutDispatchers(questions, servers) },
  ];
  return new Map([['languages', languagesTable(ways, credits)]]);
}
