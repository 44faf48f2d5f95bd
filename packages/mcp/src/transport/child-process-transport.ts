import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { parsedJson, within } from '@toolfold/core/internal/values';
import type { StdioServerEntry } from '../config/index.ts';
import {
  createServerMark,
  endMarked,
  forgetGroup,
  guardGroup,
  inheritedEnvironment,
  signalGroup,
  startSupervisor,
  TextTail,
} from '../processes/index.ts';
import { type JSONRPCMessage, lostConnection, type Transport } from '../sdk.ts';
import { excessOf, MAX_MESSAGE, tooLong } from './messages.ts';
import type { ConnectionWatch } from './open-transport.ts';

/** Milliseconds that a server has to end by itself, and again after SIGTERM. */
const PATIENCE = 1000;

/** Bytes of a chunk after which more output is expected at once. A pipe gives at most 64 KB. */
const LARGE = 16 * 1024;

/** How a child process ended, or why it did not start. */
export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'not-started'; readonly error: NodeJS.ErrnoException };

/**
 * Runs a server as a child process in its own process group. The SDK's transport ends only the process
 * that it started, so a server behind `npx` or a shell would keep running. It also does not report how
 * the process ended or what it printed besides the protocol. Not for Windows, which has no process
 * groups.
 */
export class ChildProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr: TextTail = new TextTail();
  /** Text on stdout that is not MCP. */
  readonly strayOutput: TextTail = new TextTail();
  /** Number of lines on stdout that are not MCP. */
  strayLines = 0;
  readonly #entry: StdioServerEntry;
  readonly #watch: Pick<ConnectionWatch, 'requests' | 'breach'>;
  readonly #exited: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Resolves after `#exited`, when the processes that left the group got SIGKILL. */
  readonly #gone: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #ended: PromiseWithResolvers<ProcessEnd> = Promise.withResolvers();
  #child: ChildProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(entry: StdioServerEntry, watch: Pick<ConnectionWatch, 'requests' | 'breach'>) {
    this.#entry = entry;
    this.#watch = watch;
  }

  /** Resolves when the process has ended and its output was read. */
  get ended(): Promise<ProcessEnd> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    if (this.#closing !== undefined) throw new Error('The connection was closed.');
    startSupervisor();
    const mark = createServerMark();
    const child = this.#spawn({
      ...inheritedEnvironment(this.#entry.passEnv),
      ...Object.fromEntries(this.#entry.env),
      ...mark.environment,
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
      // Processes that the server started must not outlive it.
      this.#signalGroup('SIGKILL');
      if (child.pid !== undefined) forgetGroup(child.pid);
      this.#exited.resolve();
      const gone = endMarked(mark.text).then(this.#gone.resolve);
      void gone.then(() => within(PATIENCE, this.ended)).then(() => this.#closePipes());
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

  /** Throws where the system refuses at once, such as for arguments that are too long. */
  #spawn(env: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
    const { command, args, cwd } = this.#entry;
    try {
      return spawn(command, [...args], { cwd, detached: true, env });
    } catch (error) {
      this.#ended.resolve({ kind: 'not-started', error: error as NodeJS.ErrnoException });
      throw error;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) {
      return Promise.reject(lostConnection('The server process has ended.', 'NOT_CONNECTED'));
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /**
   * Closes the server's stdin, then sends SIGTERM and SIGKILL if needed. Resolves when the server has
   * ended and, on Linux, its descendants got SIGKILL. Waits at most a second for these.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end(['wait', 'SIGTERM']);
    return this.#closing;
  }

  /** Sends SIGTERM at once, then SIGKILL if needed. Resolves like `close`. */
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
    await within(PATIENCE, this.#gone.promise);
    this.#closePipes();
  }

  /** A server that closed its stdout cannot answer any more. Usually it is about to end. */
  async #endOfOutput(): Promise<void> {
    if (!(await this.#exitsWithin(PATIENCE))) this.#watch.breach.abort('it closed its output');
  }

  /** Call this after the exit of the server. A process that could not be ended may still hold its pipes open. */
  #closePipes(): void {
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  async #exitsWithin(milliseconds: number): Promise<boolean> {
    const exited = this.#exited.promise.then(() => true);
    return (await within(milliseconds, exited)) ?? false;
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, signal);
  }

  #readLines(child: ChildProcess): void {
    let pending: Buffer[] = [];
    let length = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      // Further output of a disconnected server is ignored.
      if (this.#watch.breach.signal.aborted) return;
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
      // Reads one large chunk per loop iteration, so that a server with much output does not block others.
      if (chunk.length >= LARGE) {
        child.stdout?.pause();
        setImmediate(() => child.stdout?.resume());
      }
      if (length <= MAX_MESSAGE) return;
      pending = [];
      length = 0;
      this.#watch.breach.abort(tooLong());
    });
  }

  #receive(line: string): void {
    const { requests, breach } = this.#watch;
    const excess = excessOf(line) ?? requests.countUnasked();
    if (excess !== undefined) {
      breach.abort(excess);
      return;
    }
    // A quick check, so that most lines that are not messages cost no parse error.
    // `trim` also removes a byte order mark.
    const value = /^\s*[{[]/.test(line) ? parsedJson(line.trim()) : undefined;
    if (value === undefined) {
      const answer = requests.unreadable(line);
      // A greeting or a log line is kept for display. It is no reason to disconnect.
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
    this.strayLines += 1;
    this.strayOutput.add(`${line}\n`);
  }
}
