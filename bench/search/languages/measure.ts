import type { ToolDocument, ToolSearch } from '../../../src/tools/search/index.ts';
import { DEPTH, qualityOf } from '../quality.ts';
import { mean } from '../statistics.ts';
import { markdown, percent } from '../tables.ts';
import { LANGUAGES, type Language, type Question } from './question.ts';

/** The first hits of each question, by its id. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** Asks all questions over all tools. */
export function answersOf(
  search: ToolSearch,
  tools: readonly ToolDocument[],
  questions: readonly Question[],
): Answers {
  search.index(tools);
  return new Map(
    questions.map(({ id, query }) => {
      const hits = search.search(query, { limit: DEPTH, allows: everything });
      return [id, hits.flatMap(({ key, twins = [] }) => [key, ...twins])];
    }),
  );
}

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;

/** How well one way to search answers. */
export interface Way {
  readonly title: string;
  readonly answers: Answers;
}

/** A row for each way and credit, with R@5 and nDCG@10 of each language. */
export function languagesTable(
  ways: readonly Way[],
  credits: readonly { readonly title: string; readonly questions: readonly Question[] }[],
): string {
  const languages = Object.keys(LANGUAGES) as Language[];
  const rows = credits.flatMap((credit) =>
    ways.map(({ title, answers }) => {
      const found = languages.map((language) => {
        const questions = credit.questions.filter((question) => question.language === language);
        const qualities = questions.map(({ id, right }) =>
          qualityOf(answers.get(id) ?? [], { needs: [new Set(right)] }),
        );
        return {
          r5: mean(qualities.map(({ r5 }) => r5)),
          ndcg: mean(qualities.map(({ ndcg }) => ndcg)),
        };
      });
      const all = [
        ...found,
        { r5: mean(found.map(({ r5 }) => r5)), ndcg: mean(found.map(({ ndcg }) => ndcg)) },
      ];
      return [
        ...[title, credit.title, String(credit.questions.length)],
        ...all.map(({ r5, ndcg }) => `${percent(r5)} / ${percent(ndcg)}`),
      ];
    }),
  );
  const names = [...Object.values(LANGUAGES), 'mean'].map((name) => `${name} R@5 / nDCG@10`);
  return markdown(['search', 'credit for', 'queries', ...names], rows, 2);
}
