/**
 * A store in a process of its own: run as a program, it opens the store in the folder of its first
 * argument and answers calls of its functions. With a second argument it first becomes that user.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ownProperty } from '@toolfold/core/internal/values/json.ts';
import { newOwner } from '../../src/sessions/lease.ts';
import type { SessionStore } from '../../src/sessions/store.ts';
import { sqliteStore } from '../../src/sqlite/sqlite-store.ts';

type Method = Exclude<keyof SessionStore, 'name' | 'retryTimeout' | 'lastRuns'>;
type Result<METHOD extends Method> = Awaited<ReturnType<SessionStore[METHOD]>>;

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A process with an open store. */
export class StoreProcess {
  readonly child: ChildProcess;
  /** What opening the store failed with. */
  readonly failure: Reply['error'];

  private constructor(child: ChildProcess, failure: Reply['error']) {
    this.child = child;
    this.failure = failure;
  }

  static async start(folder: string, user?: number): Promise<StoreProcess> {
    const script = fileURLToPath(import.meta.url);
    const child = fork(script, [folder, ...(user === undefined ? [] : [String(user)])], {
      serialization: 'advanced',
    });
    const [{ error }] = await once(child, 'message');
    return new StoreProcess(child, error);
  }

  /** Calls a function of the store. Rejects with an error of the same code. One call at a time. */
  async call<METHOD extends Method>(
    method: METHOD,
    ...args: Parameters<SessionStore[METHOD]>
  ): Promise<Result<METHOD>> {
    this.child.send({ method, args });
    const [{ result, error }] = await once(this.child, 'message');
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }

  /** Takes the lease of a session for this process. */
  async acquire(session: string): Promise<Result<'acquire'>> {
    // The process fills in its own owner.
    return this.call('acquire', session, newOwner());
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

async function serve(folder: string, user: string | undefined): Promise<void> {
  if (user !== undefined) process.seteuid?.(Number(user));
  const store = await sqliteStore({ folder });
  process.on('message', async ({ method, args }: { method: Method; args: unknown[] }) => {
    if (method === 'acquire') args[1] = newOwner();
    const work = store[method];
    assert.ok(typeof work === 'function');
    await reply(Reflect.apply(work, store, args));
  });
  await reply(Promise.resolve());
}

async function reply(work: Promise<unknown>): Promise<void> {
  try {
    process.send?.({ result: await work });
  } catch (error) {
    process.send?.({ error: { code: ownProperty(error, 'code'), message: String(error) } });
  }
}

const [, script, folder, user] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  await serve(folder, user).catch((error) => reply(Promise.reject(error)));
}
