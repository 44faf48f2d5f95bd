import type { Tool } from '@toolfold/core';
import {
  createServerPool,
  parseConfig,
  type ServerConnection,
  type ServerPool,
} from '@toolfold/mcp';
import { toolsOf } from './calls.ts';
import { configurationFile } from './entry.ts';
import { acceptForm } from './form.ts';
import { logIn } from './person.ts';
import type { Request } from './request.ts';

/** Attempts to log in, successful ones included, after which a person gives up. */
const MAX_LOGINS = 3;

const SERVER = 'conformance';

/** Options of a `Host`. */
export interface HostOptions {
  /** The folder of the logins. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Milliseconds for the server to start. */
  readonly timeout: number;
}

/** A host with one server in its configuration file, and a person who does what the failures say. */
export class Host {
  readonly #request: Request;
  readonly #options: HostOptions;
  readonly #pool: ServerPool;
  /** Scopes that the person has added to the entry. */
  readonly #scopes: string[] = [];
  #logins = 0;

  private constructor(request: Request, options: HostOptions, pool: ServerPool) {
    this.#request = request;
    this.#options = options;
    this.#pool = pool;
  }

  static async open(request: Request, options: HostOptions): Promise<Host> {
    const { folder, timeout } = options;
    const pool = await createServerPool(configOf(request, []), {
      manifests: false,
      logins: { folder },
      requests: { elicitation: 'form' },
      timeout,
    });
    return new Host(request, options, pool);
  }

  /** Starts the server and lists its tools. Rejects with the reason if the server cannot be used. */
  tools(): Promise<readonly Tool[]> {
    return this.#persist(async () => {
      const state = await this.#connection.start(this.#options.signal);
      if (state.kind === 'ready') return toolsOf(this.#pool.groups, this.#options.signal);
      throw new Error(`the server is ${state.kind}: ${'reason' in state ? state.reason : ''}`);
    });
  }

  /** Calls a tool as the pool lists it now. Rejects with the server's error. */
  call(name: string, input: unknown): Promise<unknown> {
    return this.#persist(async () => {
      const tool = (await this.tools()).find((candidate) => candidate.name === name);
      if (tool?.execute === undefined) throw new Error(`the server does not list the tool ${name}`);
      return tool.execute(input, { signal: this.#options.signal, host: { elicit: acceptForm } });
    });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  get #connection(): ServerConnection {
    const connection = this.#pool.connection(SERVER);
    if (connection === undefined) throw new Error('the pool does not have the server');
    return connection;
  }

  /** Does something with the server. The person logs in whenever the server wants that. */
  async #persist<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        const { state } = this.#connection;
        if (state.kind !== 'needs-auth' || this.#logins >= MAX_LOGINS) throw error;
        await this.#obey(state.reason);
        await this.#logInTwice();
      }
    }
  }

  /** Adds a missing scope to the entry, as the failure says. */
  async #obey(reason: string): Promise<void> {
    const [, missing] = /does not have the scope (.+)$/.exec(reason) ?? [];
    if (missing === undefined) return;
    this.#scopes.push(...missing.split(' '));
    await this.#pool.update(configOf(this.#request, this.#scopes));
  }

  /** A failed login is tried once more. */
  async #logInTwice(): Promise<void> {
    this.#logins += 1;
    const { entry } = this.#connection;
    await logIn(SERVER, entry, this.#options).catch((error: unknown) => {
      if (++this.#logins > MAX_LOGINS) throw error;
      return logIn(SERVER, entry, this.#options);
    });
  }
}

function configOf(request: Request, scopes: readonly string[]): ReturnType<typeof parseConfig> {
  const { text, env } = configurationFile(SERVER, request, scopes);
  return parseConfig('mcp.json', text, { env });
}
