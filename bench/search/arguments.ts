import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Part } from './data.ts';

/** The command line. */

const shared = (folder: string) =>
  fileURLToPath(new URL(`../../../shared/${folder}`, import.meta.url));

export const HELP: string = `npm run bench:search -- [options]

How often the built-in search and other libraries find the right tool, and how long they take.

  --data DIR        sets of tools and queries (default: ../shared/retrieval beside the checkout)
  --catalogs DIR    captured tool lists, for --merged, --scale, --honesty,
                    --paraphrases and --tune
                    (default: ../shared/catalogs)
  --sets a,b        only these sets
  --methods a,b     only these methods
  --dev             the queries for tuning instead of those for reports
  --merged          ask every set over the tools of all sets and captured lists together
  --ours            only the built-in search: a quick check of a change
  --scale           instead of the sets: all tools together, then copies up to 50,000 tools. Other ways are
                    timed with fewer queries where they are slow
  --honesty         whether the score of the first hit tells that no tool fits
  --fit             fit the scores to the needs for calibration, and print the numbers of
                    packages/core/src/search/likelihood.ts; changes no file
  --tables DIR      with --fit: DIR/SET.bin is a table that was trained without the queries of a set
  --paraphrases     queries that share no word with the name of a right tool
  --embeddings DIR  also measure embeddings alone and \`hybrid\` with them; writes DIR/texts.jsonl if
                    DIR has no vectors yet (\`python training/embed.py DIR\` makes them)
  --without a,b     also the built-in search with these numbers of its ranking set to 0: \`clause,verbs\`
  --tune            look for better weights, on queries for tuning alone; changes no file
                    (of the search by words, or with \`--methods vectors\` of the one with vectors)
  --json FILE       also write the figures to a file
  --page            write the tables and the picture into docs/`;

export interface Arguments {
  readonly help: boolean;
  readonly data: string;
  readonly catalogs: string;
  readonly part: Part;
  readonly sets: readonly string[];
  readonly methods: readonly string[];
  readonly merged: boolean;
  readonly ours: boolean;
  readonly scale: boolean;
  readonly honesty: boolean;
  readonly fit: boolean;
  /** The folder with a table for each set that word vectors were trained with. */
  readonly tables: string | undefined;
  readonly paraphrases: boolean;
  readonly tune: boolean;
  readonly embeddings: string | undefined;
  readonly without: readonly string[];
  readonly page: boolean;
  readonly json: string | undefined;
}

/** Throws an error with a message for the user if an argument is invalid. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      data: { type: 'string', default: shared('retrieval') },
      catalogs: { type: 'string', default: shared('catalogs') },
      sets: { type: 'string', default: '' },
      methods: { type: 'string', default: '' },
      dev: { type: 'boolean', default: false },
      merged: { type: 'boolean', default: false },
      ours: { type: 'boolean', default: false },
      scale: { type: 'boolean', default: false },
      honesty: { type: 'boolean', default: false },
      fit: { type: 'boolean', default: false },
      tables: { type: 'string' },
      paraphrases: { type: 'boolean', default: false },
      tune: { type: 'boolean', default: false },
      embeddings: { type: 'string' },
      without: { type: 'string', default: '' },
      page: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  const { help, merged, ours, scale, honesty, fit, tune, page, json } = values;
  const { embeddings, paraphrases, tables } = values;
  return {
    ...{ help, merged, ours, scale, honesty, fit, tune, page, json, paraphrases },
    data: resolve(values.data),
    catalogs: resolve(values.catalogs),
    embeddings: embeddings === undefined ? undefined : resolve(embeddings),
    tables: tables === undefined ? undefined : resolve(tables),
    part: values.dev ? 'dev' : 'test',
    sets: list(values.sets),
    methods: list(values.methods),
    without: list(values.without),
  };
}

function list(text: string): string[] {
  return text.split(',').filter((part) => part !== '');
}
