/** The command line. */
import { parseArgs } from 'node:util';
import { RESULT_LINES, SIZES } from './task.ts';
import { WAYS, type Way } from './ways.ts';

export const HELP: string = `npm run bench:local -- [options]

Prompt processing of one task on a small real model, with a KV cache that is kept between requests.

  --install          download the engine and the model, then stop
  --servers 1,3,8    numbers of servers
  --ways ${WAYS.join(',')}
  --results short,long   length of the tools' results (default: short)
  --runs 1           number of runs of each; the run with the median CPU time is shown
  --threads 1        threads of the engine; time in which threads wait for each other counts as CPU time
  --json             the figures as JSON`;

export interface Arguments {
  readonly install: boolean;
  readonly help: boolean;
  readonly json: boolean;
  readonly servers: readonly number[];
  readonly ways: readonly Way[];
  readonly results: readonly string[];
  readonly runs: number;
  readonly threads: number;
}

/** Throws an error with a message for the user if an argument is invalid. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      install: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      servers: { type: 'string', default: SIZES.join(',') },
      ways: { type: 'string', default: WAYS.join(',') },
      results: { type: 'string', default: 'short' },
      runs: { type: 'string', default: '1' },
      threads: { type: 'string', default: '1' },
    },
  });
  const { install, help, json, servers, ways, results, runs, threads } = values;
  return {
    ...{ install, help, json },
    servers: chosen('--servers', servers, SIZES),
    ways: chosen('--ways', ways, WAYS),
    results: chosen('--results', results, [...RESULT_LINES.keys()]),
    runs: positive('--runs', runs),
    threads: positive('--threads', threads),
  };
}

function chosen<Choice extends string | number>(
  flag: string,
  text: string,
  from: readonly Choice[],
): Choice[] {
  return text.split(',').map((part) => {
    const found = from.find((choice) => String(choice) === part.trim());
    if (found !== undefined) return found;
    throw new Error(`${flag} takes ${from.join(', ')}, separated by commas, not "${part}".`);
  });
}

function positive(flag: string, text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new Error(`${flag} takes a whole number from 1 to 999, not "${text}".`);
}
