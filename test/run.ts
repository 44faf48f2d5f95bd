/**
 * Runs the tests: most of them share three processes, because most of their time would be the start of
 * a process; each other file has its own. Prints the output of the shared processes after that of the
 * others, and what failed once more at the end. Exits 1 if a test fails. `npm test` leaves out the slow
 * files, and of combinations it tests each value (TOOLFOLD_TEST_QUICK=1). `npm run test:slow`
 * (TOOLFOLD_TEST_SLOW=1) runs the slow files, and each pair of values in all files that test combinations.
 * `npm run test:full` runs all of all (TOOLFOLD_TEST_FULL=1). With TOOLFOLD_TEST_TURN=K/N, which `.ci/run`
 * sets by turns, every Nth file of `test:slow` from the Kth on is run, and always those of harm.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { partOf, root, trackedFiles } from './tree.ts';

/** Rooms whose tests share nothing but a process, by process. */
const SHARED = [
  [
    'src/tools/',
    'src/host/',
    'src/models/',
    'src/config/',
    'src/ai-sdk/',
    'src/testing/',
    'src/wire/',
  ],
  ['src/agent/', 'src/mcp/'],
  // They mostly wait for processes that they start.
  [
    'src/app/',
    'src/chat/',
    'src/acp/',
    'src/gateway/',
    'src/cli/',
    'src/sessions/',
    'src/files/',
    'src/vectors/',
  ],
];

/** Tests there that start workers or processes, or keep both cores busy. */
const ALONE =
  /\/(policy-matrix|resume|prefix-native|size|host-end|server-end|supervisor-script|kill-matrix|kill-messages|kill-smoke)\.test\.ts$|^src\/chat\/[^/]+\.test\.ts$/;

/** Files that need several seconds each: of many processes, of all combinations, or of the whole package. */
const SLOW: readonly string[] = [
  // The longest first, so that none runs alone at the end.
  'test/packing.test.ts',
  'src/mcp/transport/processes/host-end.test.ts',
  'src/gateway/every-pairing.test.ts',
  'src/mcp/hostile-http.test.ts',
  'src/ai-sdk/policy-trials/policy-matrix.test.ts',
  'src/agent/subagents/size.test.ts',
  'src/mcp/requests/requests.test.ts',
  'src/mcp/hostile.test.ts',
  'src/ai-sdk/prefix-native.test.ts',
  'src/cli/run/run.test.ts',
  'src/cli/hostile.test.ts',
  'src/chat/terminal-commands.test.ts',
  'src/chat/bad-day.test.ts',
  'src/chat/endings.test.ts',
  'src/chat/bad-terminal.test.ts',
  'src/chat/long-answer.test.ts',
  'src/chat/sizes.test.ts',
  'src/chat/waiting.test.ts',
  'src/chat/shown-tools.test.ts',
  'src/chat/hostile-texts.test.ts',
  'src/chat/pipe.test.ts',
  'test/demo.test.ts',
  'test/answers.test.ts',
  'test/documents-events.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/figures.test.ts',
  'src/mcp/transport/processes/supervisor-script.test.ts',
  'src/cli/call/process.test.ts',
  'src/cli/call/spellings.test.ts',
  'src/cli/serve/serve.test.ts',
  'src/cli/serve/ai-sdk-client.test.ts',
  'src/gateway/isolation/isolation.test.ts',
  'src/gateway/hostile.test.ts',
  'src/cli/serve/kills.test.ts',
  'src/gateway/slow-clients.test.ts',
  'src/gateway/isolation/roots.test.ts',
  'src/gateway/hung.test.ts',
  'src/gateway/failing-servers.test.ts',
  'src/agent/inbox/forms.test.ts',
  'src/cli/init/client-files.test.ts',
  'test/bench-local.test.ts',
  'test/bench-turn.test.ts',
  'src/cli/run/options.test.ts',
  'src/mcp/transport/processes/server-end.test.ts',
  'src/mcp/login/renewal.test.ts',
  'src/mcp/chaos/kill-matrix.test.ts',
  'src/agent/log/chaos/kill-matrix.test.ts',
  'src/agent/log/chaos/kill-messages.test.ts',
  'src/agent/log/chaos/failing-store.test.ts',
  'src/agent/log/chaos/large-result.test.ts',
  'src/agent/log/chaos/waiting.test.ts',
  'src/agent/log/chaos/one-writer.test.ts',
  'src/sessions/sqlite/flipped-bits.test.ts',
  'src/cli/run/session.test.ts',
  'src/acp/acp-interrupted.test.ts',
  'src/acp/acp-copies.test.ts',
  'src/acp/acp-next-request.test.ts',
  'src/acp/acp-lifecycle.test.ts',
  'src/acp/acp-full-disk.test.ts',
  'src/acp/acp-input.test.ts',
  'src/acp/acp-questions.test.ts',
  'src/ai-sdk/resume.test.ts',
  'src/agent/discarded.test.ts',
  'src/tools/hostile-schemas.test.ts',
  'src/agent/rebuilt-screen.test.ts',
  'src/agent/rebuilt-talk.test.ts',
  'src/agent/compact-random.test.ts',
  'src/cli/run/subagents.test.ts',
  'src/mcp/servers.test.ts',
  'src/ai-sdk/estimate-long.test.ts',
  'src/ai-sdk/preload-load.test.ts',
  'src/ai-sdk/search-shown.test.ts',
  'src/agent/compaction/random-talks.test.ts',
  'src/agent/broken-turns.test.ts',
  'src/ai-sdk/results/results-shown.test.ts',
  'src/agent/subagents/every-strategy.test.ts',
  'src/agent/subagents/authority.test.ts',
  'src/agent/subagents/report/report.test.ts',
  'src/agent/subagents/elsewhere.test.ts',
  'src/agent/subagents/floods.test.ts',
  'src/agent/subagents/odd-teams.test.ts',
  'src/agent/log/chaos/bad-days.test.ts',
  'src/cli/closed-pipe.test.ts',
  'src/cli/signals.test.ts',
  'src/cli/signalled-commands.test.ts',
  'src/app/servers/touched-servers.test.ts',
  'test/conformance/smoke.test.ts',
  'src/chat/at-once.test.ts',
  'src/cli/login/login.test.ts',
  'src/cli/call/questions.test.ts',
  'src/app/servers/proxies.test.ts',
  'src/gateway/lists/view.test.ts',
  'src/ai-sdk/hook-answers.test.ts',
  'src/ai-sdk/rounds/other-uses.test.ts',
  'src/ai-sdk/policy-trials/policy-crowd.test.ts',
];

/** Slow files that run in each turn: what they guard against would do harm. */
const HARM =
  /(^|\/)(kill-matrix|one-writer|hostile|hostile-http|hostile-schemas|hostile-texts|policy-matrix|authority)\.test\.ts$|^src\/ai-sdk\/attacks\//;

/** Whether a file mocks timers. `fetch` keeps such a timer, and breaks timers of later tests with it. */
const mocksTimers = (file: string): boolean =>
  readFileSync(join(root, file), 'utf8').includes('mock.timers');

const OPTIONS = [
  '--conditions=toolfold-source',
  '--import=./test/untracked-promises.ts',
  '--test-reporter=spec',
];
const compileCache = join(root, 'node_modules/.cache/toolfold');

/** Whether a file, or a helper that it imports, chooses from combinations. */
function hasCombinations(file: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(file) || file.endsWith('/combinations.test-support.ts')) return false;
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  const helpers = [...text.matchAll(/from '(\.[^']*test-support\.ts)'/g)];
  return (
    /\b(?:combinations|selected)\(|\bisQuick\b/.test(text) ||
    helpers.some(([, path = '']) => hasCombinations(join(dirname(file), path), seen))
  );
}

const { TOOLFOLD_TEST_SLOW, TOOLFOLD_TEST_FULL, TOOLFOLD_TEST_TURN } = process.env;
const all = [...trackedFiles('src/', '.test.ts'), ...trackedFiles('test/', '.test.ts')];
const missing = SLOW.filter((file) => !all.includes(file));
if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}.`);
const { isIn } = partOf(TOOLFOLD_TEST_TURN ?? '0/1');
const isFull = TOOLFOLD_TEST_FULL === '1';
const isSlow = TOOLFOLD_TEST_SLOW === '1';
const slow = [...SLOW, ...all.filter((file) => !SLOW.includes(file) && hasCombinations(file))];
const isOfTurn = (file: string) => isIn(slow.indexOf(file)) || HARM.test(file);
const isRun = (file: string) =>
  isSlow ? slow.includes(file) && isOfTurn(file) : !SLOW.includes(file);
const files = all.filter((file) => isFull || isRun(file));
const isAlone = (file: string) => SLOW.includes(file) || ALONE.test(file) || mocksTimers(file);
const shared = SHARED.map((rooms) =>
  files.filter((file) => rooms.some((room) => file.startsWith(room)) && !isAlone(file)),
);
const others = [...SLOW, ...files.filter((file) => !SLOW.includes(file))].filter(
  (file) => files.includes(file) && !shared.flat().includes(file),
);

/** Starts Node with these arguments. `show` gets the output as it comes. */
function start(args: readonly string[], show: (text: string) => void): Promise<number> {
  const child = spawn(process.execPath, [...OPTIONS, ...args], {
    cwd: root,
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...(isFull || isSlow ? {} : { TOOLFOLD_TEST_QUICK: '1' }),
      ...process.env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', show);
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on('error', (error) => {
    process.stderr.write(`The tests could not be started: ${error.message}\n`);
    resolve(1);
  });
  child.on('close', (code) => resolve(code ?? 1));
  return promise;
}

const outputs = shared.map(() => '');
let othersOutput = '';
const results = await Promise.all([
  ...shared.map((names, at) =>
    names.length === 0
      ? 0
      : start(['test/shared-process.ts', ...names], (text) => {
          outputs[at] += text;
        }),
  ),
  start(['--test', '--test-concurrency=2', ...others], (text) => {
    othersOutput += text;
    process.stdout.write(text);
  }),
]);
process.stdout.write(`\n${outputs.join('\n')}`);
if (!isFull && !isSlow) {
  process.stdout.write(
    `\nSkipped: ${SLOW.length} files and most pairs of settings, because they take long. npm run test:slow runs them.\n`,
  );
}

// A log of which only the end is kept must say what failed.
const failures = [othersOutput, ...outputs].map((output) => {
  const at = output.indexOf('✖ failing tests:');
  return at < 0 ? '' : output.slice(at);
});
process.stdout.write(failures.join(''));
if (results.some((code) => code !== 0)) {
  process.stdout.write(
    `\nExit codes: ${results.join(', ')} (shared processes, then the others).\n`,
  );
}
process.exitCode = Math.max(...results);
