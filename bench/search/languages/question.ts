import type { Servers } from '../servers.ts';

/** The languages of the questions, in the order of the tables. */
export const LANGUAGES = {
  de: 'German',
  es: 'Spanish',
  fr: 'French',
  zh: 'Chinese',
  ja: 'Japanese',
} as const;
export type Language = keyof typeof LANGUAGES;

/** A line of `bench/search/data/languages.jsonl`. */
export interface Question {
  readonly id: string;
  readonly language: Language;
  readonly query: string;
  /** Every tool that would do, as `server/tool`. */
  readonly right: readonly string[];
}

const DISPATCHERS: readonly string[] = [
  'ms-365-discovery/search-tools',
  'ms-365-discovery/execute-tool',
  'gitlab/discover_tools',
  'kubernetes/kubectl_generic',
];

/**
 * Whether a tool passes requests on to tools that are listed elsewhere. Those of the server `azure`
 * do, except those that `azure-all` lists under the same name.
 */
export function isDispatcher(key: string, servers: Servers): boolean {
  const [server, tool = ''] = key.split('/');
  if (server !== 'azure') return DISPATCHERS.includes(key);
  const all = servers.get('azure-all') ?? [];
  return !all.some(({ name }) => name === tool);
}

/** The questions without dispatchers among their right tools. Drops those that have no other one. */
export function withoutDispatchers(questions: readonly Question[], servers: Servers): Question[] {
  return questions
    .map((question) => ({
      ...question,
      right: question.right.filter((key) => !isDispatcher(key, servers)),
    }))
    .filter(({ right }) => right.length > 0);
}
