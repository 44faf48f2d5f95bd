import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { StdioServerEntry } from '../config/index.ts';
import { lostConnection } from './failure.ts';
import { excessOf, MAX_MESSAGE, tooLong } from './message-limits.ts';
import { forgetGroup, guardGroup, signalGroup } from './process-groups.ts';
import { importSdkStdio, type JSONRPCMessage, type Transport } from './sdk.ts';
import { TextTail } from './text-tail.ts';
import type { Watch } from './watched-transport.ts';

/** How long a server may take to end by itself, and then after SIGTERM, in milliseconds. */
const PATIENCE = 1000;

/** How a child process ended, or that it could not be started. */
export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'not-started'; readonly error: NodeJS.ErrnoException };

/**
 * A server as a child process with a process group of its own. The SDK's own transport ends only
 * the process it started: behind `npx` or a shell the server itself would live on, and neither how
 * it ended nor what it printed beside the protocol could be told. Not for Windows, which has no
 * process groups.
 */
export class ChildProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr: TextTail = new TextTail();
  /** What stood on stdout that is not the protocol. */
  readonly rubbish: TextTail = new TextTail();
  /** How many lines of it there were. */
  rubbishLines = 0;
  readonly #entry: StdioServerEntry;
  readonly #watch: Pick<Watch, 'requests' | 'breach'>;
  readonly #exited: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #ended: PromiseWithResolvers<ProcessEnd> = Promise.withResolvers();
  #child: ChildProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(entry: StdioServerEntry, watch: Pick<Watch, 'requests' | 'breach'>) {
    this.#entry = entry;
    this.#watch = watch;
  }

  /** Resolves once the process is gone and its output was read. */
  get ended(): Promise<ProcessEnd> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    const { getDefaultEnvironment } = await importSdkStdio();
    if (this.#closing !== undefined) throw new Error('The connection was closed.');
    const child = spawn(this.#entry.command, [...this.#entry.args], {
      cwd: this.#entry.cwd,
      detached: true,
      env: { ...getDefaultEnvironment(), ...Object.fromEntries(this.#entry.env) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    if (child.pid !== undefined) guardGroup(child.pid);
    child.stderr.on('data', (chunk: Buffer) => this.stderr.add(chunk));
    this.#readLines(child);
    child.stdout.once('end', () => void this.#endOfOutput());
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error));
    }
    child.once('exit', () => {
      // Whatever the process started itself must not outlive it.
      this.#signalGroup('SIGKILL');
      if (child.pid !== undefined) forgetGroup(child.pid);
      this.#exited.resolve();
    });
    child.once('close', (code, signal) => {
      this.#ended.resolve({ kind: 'exit', code, signal });
      this.onclose?.();
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#ended.resolve({ kind: 'not-started', error });
        reject(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(lostConnection('The server has ended.'));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Asks the server to end by closing its stdin, then insists. Resolves once it is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#end(['wait', 'SIGTERM']);
    return this.#closing;
  }

  /** Ends a server that is not worth waiting for: SIGTERM at once. Resolves once it is gone. */
  kill(): Promise<void> {
    this.#closing ??= this.#end(['SIGTERM']);
    return this.#closing;
  }

  async #end(steps: readonly ('wait' | 'SIGTERM')[]): Promise<void> {
    if (this.#child?.pid === undefined) return;
    this.#child.stdin?.end();
    let exited = false;
    for (const step of steps) {
      if (step === 'SIGTERM') this.#signalGroup(step);
      exited = await this.#exitsWithin(PATIENCE);
      if (exited) break;
    }
    if (!exited) this.#signalGroup('SIGKILL');
    await this.#exited.promise;
    // A process that left the group may hold the other ends: they are of no interest any more.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** A server that closed its output can answer no more; mostly it is about to end. */
  async #endOfOutput(): Promise<void> {
    if (!(await this.#exitsWithin(PATIENCE))) this.#watch.breach.report('it closed its output');
  }

  async #exitsWithin(milliseconds: number): Promise<boolean> {
    const timer = new AbortController();
    const late = delay(milliseconds, false, { signal: timer.signal }).catch(() => false);
    const exited = await Promise.race([this.#exited.promise.then(() => true), late]);
    timer.abort();
    return exited;
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, signal);
  }

  #readLines(child: ChildProcess): void {
    let pending: Buffer[] = [];
    let length = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      // What a server that was cut off still has to say is of no use.
      if (this.#watch.breach.reason !== undefined) return;
      let rest = chunk;
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        const line = Buffer.concat([...pending, rest.subarray(0, end)]).toString('utf8');
        pending = [];
        length = 0;
        rest = rest.subarray(end + 1);
        this.#receive(line);
      }
      pending.push(rest);
      length += rest.length;
      // One piece at a time: a server that floods this process must not keep the others waiting.
      child.stdout?.pause();
      setImmediate(() => child.stdout?.resume());
      if (length <= MAX_MESSAGE) return;
      pending = [];
      length = 0;
      this.#watch.breach.report(tooLong());
    });
  }

  #receive(line: string): void {
    const { requests, breach } = this.#watch;
    const excess = excessOf(line) ?? requests.unasked();
    if (excess !== undefined) {
      breach.report(excess);
      return;
    }
    // Most of what is no message is told without the cost of an error.
    const value = /^\s*[{[]/.test(line) ? parsed(line) : undefined;
    if (value === undefined) {
      const answer = requests.unreadable(line);
      // A greeting or a log line: kept to be shown, no reason to give up on the server.
      if (answer === undefined) this.#note(line);
      else this.onmessage?.(answer);
      return;
    }
    const { messages, hasStray } = requests.read(value);
    if (hasStray) this.#note(line);
    for (const message of messages) this.onmessage?.(message);
  }

  #note(line: string): void {
    if (line.trim() === '') return;
    this.rubbishLines += 1;
    this.rubbish.add(`${line}\n`);
  }
}

/** The value of a text in JSON; `undefined` where it is none. */
function parsed(text: string): unknown {
  try {
    // A byte order mark is trimmed too.
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}
