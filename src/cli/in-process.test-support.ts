import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from './command-line.ts';
import { environment, type Outcome, type StartOptions } from './process.test-support.ts';
import { openTerminal } from './terminal/index.ts';

/** The last command. The working folder and the environment belong to one command at a time. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process: its sources are loaded once for all tests of a file. The
 * folder is its home and its working folder. It inherits nothing else of the environment.
 */
export function command(
  folder: string,
  args: readonly string[],
  { input = '', env = {} }: Pick<StartOptions, 'env'> & { readonly input?: string } = {},
): Promise<Outcome> {
  const run = last.then(async () => {
    const before = { cwd: process.cwd(), env: { ...process.env } };
    process.chdir(folder);
    setEnvironment(environment(folder, env));
    try {
      return await outcome(args, input);
    } finally {
      setEnvironment(before.env);
      process.chdir(before.cwd);
    }
  });
  last = run.catch(() => {});
  return run;
}

async function outcome(args: readonly string[], input: string): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr };
  let code = 0;
  const context = {
    streams,
    terminal: openTerminal(streams, () => {}),
    signal: new AbortController().signal,
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
