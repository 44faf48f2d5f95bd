import { errorMessage } from '../../errors.ts';
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

/** What logins work with. */
export interface LoginsOptions {
  readonly pool: Pick<ServerPool, 'servers' | 'connection' | 'onChange'>;
  readonly ask: Ask;
  /** Shows the page of a login. */
  readonly openPage: (server: string, url: string) => void;
  readonly note: (text: string) => void;
  /** Ends a login, and nothing is asked any more. */
  readonly signal: AbortSignal;
  /** Where logins are kept. Default: with the user's data. */
  readonly store?: Pick<LoginOptions, 'folder'>;
}

/** Asks for each server that needs a login of a person whether to log in now: once in a process. */
export class Logins {
  readonly #options: LoginsOptions;
  readonly #asked = new Set<string>();

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** Asks about the servers that need a login now. Resolves when all is answered and done. Never rejects. */
  async offer(): Promise<void> {
    const { pool, note } = this.#options;
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
    const { pool, ask, openPage, note, signal, store } = this.#options;
    const { name, remedy = '' } = server;
    const answer = await ask(loginQuestion(server, entry.url), signal);
    if (answer?.choice !== 'yes') return note(`${name} stays without a login. ${remedy}`);
    const { tools } = await login(name, entry, {
      ...{ ...store, signal, onWarning: note },
      onUrl: (url) => openPage(name, url),
    });
    note(`${name} accepts the login. It lists ${formatCount(tools, 'tool')}.`);
    await pool.connection(name)?.start(signal);
    this.#asked.delete(name);
  }

  #fail({ remedy = '' }: ServerStatus, error: unknown): void {
    const { signal, note } = this.#options;
    if (!signal.aborted) note(`${errorMessage(error)} ${remedy}`);
  }
}
