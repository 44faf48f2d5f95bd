import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../tree.ts';
import { openTurns, TURNS_PORT } from './turns.ts';

/** The revisions of the protocol that have requirements in the suite. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** The suite's own files. */
const SUITE = 'node_modules/@modelcontextprotocol/conformance';

/** The suite splits this at spaces, so it has no absolute paths. */
const CLIENT = 'node test/conformance/client.ts';

/** Milliseconds for one scenario. The suite starts all scenarios of a revision at once, and most wait. */
const LIMIT = 600_000;

/** A check of the suite. `status`: SUCCESS, FAILURE, WARNING, SKIPPED or INFO. */
export interface Check {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
}

/** What one scenario gave at one revision. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly checks: readonly Check[];
  /** `completed`, or why the client ended early. Empty if it was killed. */
  readonly end: string;
}

/** The client scenarios of a revision. */
export interface Scenarios {
  /** Those that the revision requires. */
  readonly scored: readonly string[];
  /** Extensions, and those that were added later. The suite runs them too. */
  readonly others: readonly string[];
}

/** Reads the scenarios of a revision from the suite's requirements. */
export async function scenariosOf(revision: Revision): Promise<Scenarios> {
  const text = await readFile(join(root, SUITE, `requirements/${revision}.yaml`), 'utf8');
  const section = /^client:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? '';
  const namesIn = (part: string, entry: RegExp): string[] =>
    [...part.matchAll(entry)].map((match) => match[1] ?? '');
  const scored = namesIn(section, /- (\S+)/g);
  if (scored.length === 0) throw new Error(`the suite has no client scenarios for ${revision}`);
  return { scored, others: namesIn(text, /- scenario: (\S+)\n {4}leg: client/g) };
}

/** Runs all scenarios of a revision, or the one that is given, and reads their results. */
export async function runSuite(
  revision: Revision,
  scenario?: string,
): Promise<readonly ScenarioResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-conformance-'));
  const what =
    scenario === undefined
      ? ['--requirements', revision]
      : ['--scenario', scenario, '--spec-version', revision, '--force'];
  const options = ['--command', CLIENT, '--timeout', `${LIMIT}`, '--output-dir', folder];
  const turns = await openTurns();
  try {
    const command = [join(SUITE, 'dist/index.js'), 'client', ...options, ...what];
    const output = await run(command, turns.port);
    const results = await readResults(folder);
    if (results.length === 0) throw new Error(`the suite gave no results:\n${output}`);
    return results;
  } finally {
    turns.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs Node and returns what it wrote. The exit code says less than the results. */
async function run(args: readonly string[], turnsPort: number): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/toolfold'),
      ...process.env,
      [TURNS_PORT]: String(turnsPort),
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.on('error', reject);
  child.on('close', () => resolve(output));
  return promise;
}

/** Each scenario has a folder, named after it and the time. A name may have a slash. */
async function readResults(folder: string): Promise<ScenarioResult[]> {
  const files = await readdir(folder, { recursive: true });
  const places = files.filter((file) => file.endsWith('checks.json')).map(dirname);
  return Promise.all(
    places.map(async (place) => {
      const checks: readonly Check[] = JSON.parse(await read(folder, place, 'checks.json'));
      const stdout = await read(folder, place, 'stdout.txt');
      const end: string = stdout.trim() === '' ? '' : JSON.parse(stdout).end;
      const scenario = place.replaceAll('\\', '/').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
      return { scenario, checks, end };
    }),
  );
}

function read(...path: readonly string[]): Promise<string> {
  return readFile(join(...path), 'utf8');
}
