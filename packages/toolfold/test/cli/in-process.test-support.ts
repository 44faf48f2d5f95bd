import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { openTerminal, type Streams, Unwritten } from '../../src/terminal/terminal.ts';
import {
  environment,
  type Outcome,
  type StartOptions,
  trustFolder,
} from './process.test-support.ts';

/** The last command. The working folder and the environment belong to one command at a time. */
let last: Promise<unknown> = Promise.resolve();

interface CommandOptions extends Pick<StartOptions, 'env' | 'isTrusted'> {
  readonly input?: string;
  /** The lines that the user types, one for each question. Then the input ends. */
  readonly answers?: readonly string[];
}

/**
 * Runs the command line in this process: its sources are loaded once for all tests of a file. The
 * folder is its home and its working folder. It inherits nothing else of the environment.
 */
export function command(
  folder: string,
  args: readonly string[],
  { input = '', answers, env = {}, isTrusted = true }: CommandOptions = {},
): Promise<Outcome> {
  const run = last.then(async () => {
    const before = { cwd: process.cwd(), env: { ...process.env } };
    process.chdir(folder);
    setEnvironment(environment(folder, env));
    if (isTrusted) trustFolder(folder, environment(folder, env));
    try {
      return await outcome(args, streamsFor(input, answers));
    } finally {
      setEnvironment(before.env);
      process.chdir(before.cwd);
    }
  });
  last = run.catch(() => {});
  return run;
}

interface TestStreams extends Streams {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

/** With `answers`, stdin and stderr are a terminal on which each question gets the next answer. */
function streamsFor(input: string, answers: readonly string[] | undefined): TestStreams {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  if (!answers) return { stdin: Readable.from([Buffer.from(input)]), stdout, stderr };
  const stdin = new PassThrough();
  const left = [...answers];
  const write = stderr.write.bind(stderr);
  stderr.write = (chunk: unknown) => {
    const isQuestion = /[>\]] $/.test(String(chunk));
    const answer = isQuestion ? left.shift() : undefined;
    if (answer !== undefined) setImmediate(() => stdin.write(`${answer}\n`));
    else if (isQuestion) setImmediate(() => stdin.end());
    return write(chunk);
  };
  const terminal = { isTTY: true } as const;
  return { stdin: Object.assign(stdin, terminal), stdout, stderr: Object.assign(stderr, terminal) };
}

async function outcome(args: readonly string[], streams: TestStreams): Promise<Outcome> {
  const { stdout, stderr } = streams;
  let code = 0;
  const context = {
    streams,
    terminal: openTerminal(streams, () => {}),
    signal: new AbortController().signal,
    startedAt: performance.now(),
    unwritten: new Unwritten(),
    exitWith: (given: number) => {
      code = given;
    },
  };
  const texts = Promise.all([text(stdout), text(stderr)]);
  await runCommandLine(args, context);
  stdout.end();
  stderr.end();
  const [out, notes] = await texts;
  return { code, stdout: out, stderr: notes };
}

/** Replaces the variables of this process. Functions such as `homedir` read them too. */
function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(variables))
    if (value !== undefined) process.env[name] = value;
}
