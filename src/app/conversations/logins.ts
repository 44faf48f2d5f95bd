import { errorMessage, ToolfoldError } from '../../errors.ts';
import {
  canLogIn,
  type HttpServerEntry,
  type LoginOptions,
  login,
  type ServerPool,
  type ServerStatus,
} from '../../mcp/index.ts';
import { serverRemarks } from '../agents/index.ts';
import { loginQuestion } from '../asking/index.ts';
import type { Ask } from '../questions/index.ts';
import { formatCount } from '../terminal/index.ts';
import { RefusedLogins } from './refused-logins.ts';

/** What logins work with. */
export interface LoginsOptions {
  readonly pool: Pick<ServerPool, 'servers' | 'connection' | 'onChange'>;
  readonly ask: Ask;
  /** Shows the page of a login. */
  readonly openPage: (server: string, url: string) => void;
  readonly note: (text: string) => void;
  /** Ends a login, and nothing is asked any more. */
  readonly signal: AbortSignal;
  /** Whether the user can type `/login`. */
  readonly hasCommand?: boolean | undefined;
  /** Where logins are kept. Default: with the user's data. */
  readonly store?: Pick<LoginOptions, 'folder'>;
}

/**
 * Asks for each server that needs a login of a person whether to log in now: once in a process, and never again after
 * "not now", until its entry changes or somebody logs in.
 */
export class Logins {
  readonly #options: LoginsOptions;
  readonly #asked = new Set<string>();
  readonly #refused: RefusedLogins;
  /** The servers that are known to have no refused login. */
  readonly #cleared = new Set<string>();

  constructor(options: LoginsOptions) {
    this.#options = options;
    this.#refused = new RefusedLogins(options.store?.folder);
  }

  /** Asks about the servers that need a login now. Resolves when all is answered and done. Never rejects. */
  async offer(): Promise<void> {
    const { pool, note } = this.#options;
    await Promise.all(pool.servers.map((server) => this.#clear(server)));
    const needed = pool.servers.filter(({ name, state }) => {
      return state === 'needs-auth' && !this.#asked.has(name);
    });
    await Promise.all(
      needed.map(async (server) => {
        this.#asked.add(server.name);
        const entry = pool.connection(server.name)?.entry;
        if (!entry || !canLogIn(entry) || entry.oauth?.grant === 'client-credentials')
          return serverRemarks(server).forEach(note);
        await this.#offerOne(server, entry).catch((error) => this.#fail(server, error));
      }),
    );
  }

  /** Asks now, and when servers change. Returns what ends that. */
  follow(): () => void {
    void this.offer();
    return this.#options.pool.onChange(() => void this.offer());
  }

  async #offerOne(server: ServerStatus, entry: HttpServerEntry): Promise<void> {
    const { ask, note, signal } = this.#options;
    const { name } = server;
    const without = () => note(`${name} stays without a login. ${this.#adviceFor(server)}`);
    if (await this.#refused.has(name, entry)) return without();
    const answer = await ask(loginQuestion(server, entry.url), signal);
    if (answer?.choice === 'no') await this.#refused.add(name, entry);
    if (answer?.choice !== 'yes') return without();
    await this.#logIn(name, entry, signal);
  }

  /** Logs in without a question. Rejects as `login`, and with `invalid-option` for a server that has no login. */
  async logIn(name: string, stop: AbortSignal): Promise<void> {
    const entry = this.#options.pool.connection(name)?.entry;
    if (!entry || !canLogIn(entry) || entry.oauth?.grant === 'client-credentials')
      throw new ToolfoldError(
        'invalid-option',
        `No server "${name}" takes a login.`,
        '/tools lists the servers.',
      );
    await this.#logIn(name, entry, AbortSignal.any([this.#options.signal, stop]));
  }

  async #logIn(name: string, entry: HttpServerEntry, signal: AbortSignal): Promise<void> {
    const { pool, openPage, note, store } = this.#options;
    const { tools } = await login(name, entry, {
      ...{ ...store, signal, onWarning: note },
      onUrl: (url) => openPage(name, url),
    });
    note(`${name} accepts the login. It lists ${formatCount(tools, 'tool')}.`);
    await this.#refused.remove(name, entry);
    await pool.connection(name)?.start(signal);
    this.#asked.delete(name);
  }

  /** A server that has accepted a login, also one of another process, is asked about again when it ends. */
  async #clear({ name, state }: ServerStatus): Promise<void> {
    if (state !== 'ready' || this.#cleared.has(name)) return;
    this.#cleared.add(name);
    const entry = this.#options.pool.connection(name)?.entry;
    if (entry && canLogIn(entry)) await this.#refused.remove(name, entry);
  }

  #adviceFor({ name, remedy = '' }: ServerStatus): string {
    return this.#options.hasCommand ? `/login ${name} logs in.` : remedy;
  }

  #fail(server: ServerStatus, error: unknown): void {
    const { signal, note } = this.#options;
    if (!signal.aborted) note(`${errorMessage(error)} ${this.#adviceFor(server)}`);
  }
}
