import { searchWords, splitWords } from '../near-names.ts';
import { stem } from './stem.ts';
import type { ToolDocument } from './tool-search.ts';

/** A field's weight in the ranking, and the length in words that is neutral. */
interface FieldWeight {
  readonly weight: number;
  readonly usualLength: number;
}

/** The numbers that the ranking depends on. */
export interface Weights {
  readonly name: FieldWeight;
  readonly group: FieldWeight;
  /** The first words of a description. They say what the tool is for. */
  readonly lead: FieldWeight;
  readonly rest: FieldWeight;
  readonly parameterNames: FieldWeight;
  readonly parameterTexts: FieldWeight;
  /** The number of words in `lead`. */
  readonly leadWords: number;
  /** How much a longer field reduces the weight of its words: 0 not at all, 1 in full. */
  readonly lengthEffect: number;
  /** Saturation of repeated words, the k1 of BM25. */
  readonly saturation: number;
  /** The share of exact words in a score. The rest is the share of their stems. */
  readonly exact: number;
  /** The share of the best clause in the score of a long query. */
  readonly clause: number;
  /** What another verb for the first word of a query counts in relation to that word itself. */
  readonly verbs: number;
  /** The share of similarity in meaning, in units of the best score. */
  readonly meaning: number;
}

/** Chosen on development queries: `npm run bench:search -- --tune`. */
export const WEIGHTS: Weights = {
  name: { weight: 3, usualLength: 3 },
  group: { weight: 4, usualLength: 1.5 },
  lead: { weight: 1, usualLength: 15 },
  rest: { weight: 0.5, usualLength: 15 },
  parameterNames: { weight: 0.8, usualLength: 4 },
  parameterTexts: { weight: 0.5, usualLength: 20 },
  leadWords: 20,
  lengthEffect: 0.5,
  saturation: 1,
  exact: 0.4,
  clause: 0.35,
  verbs: 0.2,
  meaning: 1.5,
};

/** Words that say nothing about the tool. They are dropped from queries only. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from had ' +
    'has have he her here him his how i if in into is it its just like me more my of on or our ' +
    'out please she should so some such than that the their them then there these they this those ' +
    'to up us was we were what when where which who why will with would you your ' +
    'help need needs want wants wanted looking tell give let know able using use ' +
    'tool tools thanks thank hi hello d ll m re s t ve'
  ).split(' '),
);

/** What a tool does, or a query asks for, in the roughest terms. */
export type Action = 'read' | 'write' | 'remove';

/**
 * Verbs that tools use for the same thing, by what they do. A verb may be in several groups; opposites never share
 * one. Verbs of `other` do none of this, or are also names of things, such as `label`.
 */
const GROUPS: Readonly<Record<Action | 'other', string>> = {
  read:
    'get fetch retrieve read load obtain lookup;show display view render print present get read;' +
    'list show display enumerate view;find search locate lookup look query discover seek;' +
    'browse;check;compare;count;describe;examine;inspect;monitor;recommend;scan;see;suggest;watch;' +
    'long;many;much;old',
  write:
    'create make add insert register;update edit set change modify alter adjust patch rename;' +
    'send post publish deliver;move relocate transfer;copy clone duplicate replicate;' +
    'attach add append upload include;append add insert;save store write keep persist;share invite;' +
    'apply;assign;build;configure;connect;deploy;draft;enable;fork;forward;install;merge;push;put;' +
    'replace;reply;restore;submit;upsert',
  remove:
    'delete remove erase drop discard destroy purge clear wipe trash;strip detach remove unlink clear;' +
    'cancel;decline;forget;reject;rid;throw;uninstall;unsubscribe',
  other:
    'run execute launch invoke perform;start launch begin initiate;' +
    'stop cancel abort kill terminate end halt;connect link relate relation associate tie;' +
    'disconnect unlink detach;merge join combine unite;split divide separate;' +
    'translate convert transform turn;download fetch save;upload import attach;' +
    'export save download dump;compare diff;close shut quit;calculate compute estimate determine;' +
    'describe explain;reply answer respond;label tag mark flag;capture screenshot record;' +
    'enable activate;disable deactivate;pause suspend;resume restore continue;' +
    'assign allocate delegate;schedule book plan reserve;verify validate check;summarize condense;' +
    'restore recover undo revert reset;navigate go visit;type enter fill input;press click tap;' +
    'pick select choose',
};

/** Words that ask a question. */
const QUESTION = /^wh(?:at|ich|o|ose|ere|en|y)$/;
/** Words that ask a question where a clause begins with them. */
const FIRST_WORD = /^(?:is|are|was|were|do|does|did|has|have|had)$/;

const others = new Map<string, Set<string>>();
const actions = new Map<string, Action>();
for (const [action, groups] of Object.entries(GROUPS)) {
  for (const verbs of groups.split(';').map((group) => group.split(' '))) {
    for (const verb of verbs) {
      const found = others.get(verb) ?? new Set();
      for (const other of verbs) if (other !== verb) found.add(other);
      others.set(verb, found);
      if (action !== 'other') actions.set(verb, action as Action);
    }
  }
}

/** Other verbs that tools use for the same thing. Empty for most words. */
export function otherVerbs(word: string): readonly string[] {
  return [...(others.get(word) ?? [])];
}

/** What the first verb of some words does, also where it ends in `s`; undefined without any. */
function actionOf(words: readonly string[]): Action | undefined {
  for (const word of words) {
    const action = actions.get(word) ?? (word.endsWith('s') && actions.get(word.slice(0, -1)));
    if (action) return action;
  }
  return undefined;
}

/** What the clauses of a query ask for, as far as they say it. */
export function askedActions(clauses: readonly (readonly string[])[]): ReadonlySet<Action> {
  return new Set(clauses.flatMap((words) => askedAction(words) ?? []));
}

/** What a clause asks for: a question asks to read, and of other clauses the first word that is not polite says it. */
function askedAction(words: readonly string[]): Action | undefined {
  const at = words.findIndex((word) => !STOP_WORDS.has(word));
  const polite = at < 0 ? words : words.slice(0, at);
  if (FIRST_WORD.test(polite[0] ?? '') || polite.some((word) => QUESTION.test(word))) return 'read';
  const [verb = '', next] = words.slice(polite.length);
  return actionOf([next === 'rid' ? next : verb]);
}

/** The most characters of one text that are read, so that a hostile text cannot fill the memory. */
const MAX_IDENTIFIER = 256;
const MAX_TEXT = 4_000;
const MAX_PARAMETERS = 200;

/** The fields of a document. Their positions are the bits of the field sets in the index. */
export const FIELDS = [
  'name',
  'group',
  'lead',
  'rest',
  'parameterNames',
  'parameterTexts',
] as const;
export type FieldName = (typeof FIELDS)[number];

/**
 * The words of a document by field, as numbers. `lead` is the start of the description, `rest` the
 * other words.
 */
export type DocumentWords = Readonly<Record<FieldName, readonly number[]>>;

/** Reads the words of a document with a bounded amount of work. New words are added to the vocabulary. */
export function readWords(
  { name, group, description = '', parameters = [] }: ToolDocument,
  leadWords: number,
  vocabulary: Vocabulary,
): DocumentWords {
  const textOf = (most: number, ...texts: readonly string[]) =>
    texts
      .map((one) => one.slice(0, most))
      .join(' ')
      .slice(0, most);
  const first = parameters.slice(0, MAX_PARAMETERS);
  const texts = [
    textOf(MAX_TEXT, description),
    textOf(MAX_IDENTIFIER, name),
    textOf(MAX_IDENTIFIER, group),
    textOf(MAX_TEXT, ...first.map((parameter) => parameter.name)),
    textOf(MAX_TEXT, ...first.map((parameter) => parameter.description ?? '')),
  ];
  const lists: number[][] = [];
  for (const words of texts.map(searchWords)) lists.push(words.map((word) => vocabulary.add(word)));
  const [described = [], ofName = [], ofGroup = [], parameterNames = [], parameterTexts = []] =
    lists;
  return {
    name: ofName,
    group: ofGroup,
    lead: described.slice(0, leadWords),
    rest: described.slice(leadWords),
    parameterNames,
    parameterTexts,
  };
}

/** What the names of a document say. */
export interface DocumentNames {
  /** Group and name as words with a space before each, for matching names exactly. */
  readonly path: string;
  /** Words in the name, for telling a whole name from the end of one. */
  readonly nameLength: number;
  /** What the name or the first word of the description says that the tool does. */
  readonly action?: Action;
}

export function namesOf(
  document: ToolDocument,
  { name, lead }: DocumentWords,
  vocabulary: Vocabulary,
): DocumentNames {
  const action = actionOf([...name, ...lead.slice(0, 1)].map((word) => vocabulary.word(word)));
  const [ofGroup = [], own = []] = [document.group, document.name].map(cut).map(splitWords);
  const path = joined([...ofGroup, ...own]);
  return { path, nameLength: own.length, ...(action && { action }) };
}

/** The words of a name, as many as are read, with a space before each: ends compare on word boundaries. */
export function pathOf(name: string): string {
  return joined(splitWords(cut(name)));
}

function cut(name: string): string {
  return name.slice(0, MAX_IDENTIFIER);
}

function joined(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}

/** Gives each word and each stem a number. */
export class Vocabulary {
  #words = new Map<string, number>();
  #list: string[] = [];
  #stems = new Map<string, number>();
  #stemOfWord: number[] = [];

  get words(): number {
    return this.#words.size;
  }

  get stems(): number {
    return this.#stems.size;
  }

  /** The number of a word; a new word gets the next one. */
  add(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const root = stem(word);
    let stemNumber = this.#stems.get(root);
    if (stemNumber === undefined) {
      stemNumber = this.#stems.size;
      this.#stems.set(root, stemNumber);
    }
    const number = this.#words.size;
    this.#words.set(word, number);
    this.#list.push(word);
    this.#stemOfWord.push(stemNumber);
    return number;
  }

  /** The numbers of a word and of its stem; -1 for what is not known. The stem of an unknown word may be. */
  find(word: string): { readonly exact: number; readonly stem: number } {
    const exact = this.#words.get(word) ?? -1;
    const known = exact < 0 ? this.#stems.get(stem(word)) : this.#stemOfWord[exact];
    return { exact, stem: known ?? -1 };
  }

  stemOf(word: number): number {
    return this.#stemOfWord[word] ?? 0;
  }

  /** All words, in the order of their numbers. */
  list(): readonly string[] {
    return this.#list;
  }

  word(number: number): string {
    return this.#list[number] ?? '';
  }

  /** The words, the stems and the stem of each word. */
  store(): StoredVocabulary {
    return { words: this.#list, stems: [...this.#stems.keys()], stemOfWord: this.#stemOfWord };
  }

  restore({ words, stems, stemOfWord }: StoredVocabulary): void {
    this.#words = new Map(words.map((word, number) => [word, number]));
    this.#list = [...words];
    this.#stems = new Map(stems.map((one, number) => [one, number]));
    this.#stemOfWord = [...stemOfWord];
  }
}

/** A vocabulary as data. Words and stems are in the order of their numbers. */
export interface StoredVocabulary {
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly stemOfWord: readonly number[];
}
