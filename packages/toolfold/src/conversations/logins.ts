import { join } from 'node:path';
import {
  readPrivate,
  removePrivate,
  userFolder,
  writePrivate,
} from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { formatCount } from '@toolfold/core/internal/values';
import type { HttpServerEntry } from '@toolfold/mcp/internal/config';
import { canLogIn, type LoginOptions, login } from '@toolfold/mcp/internal/login';
import type { ServerPool } from '@toolfold/mcp/internal/pool';
import { manifestKey, type ServerStatus } from '@toolfold/mcp/internal/server';
import { serverRemarks } from '../agents/index.ts';
import { type Ask, MAX_NAME, type Question } from '../questions/index.ts';
import { oneLine, usageError } from '../terminal/index.ts';

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
  /** What the user does not want to log in to, for all processes. An entry that changes is another server. */
  readonly #refused: string;
  /** The servers that are known to have no refused login. */
  readonly #cleared = new Set<string>();

  constructor(options: LoginsOptions) {
    this.#options = options;
    this.#refused = join(options.store?.folder ?? userFolder('data'), 'refused-logins');
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
        const entry = this.#entryOf(server.name);
        if (!entry) return serverRemarks(server).forEach(note);
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
    const refusal = this.#fileOf(name, entry);
    // What cannot be read or written counts as not refused: the user is asked again.
    const refused = await readPrivate(refusal).catch(() => undefined);
    if (refused !== undefined) return without();
    const answer = await ask(loginQuestion(server, entry.url), signal);
    if (answer?.choice === 'no') await writePrivate(refusal, '{}\n').catch(() => {});
    if (answer?.choice !== 'yes') return without();
    await this.#logIn(name, entry, signal);
  }

  /** Logs in without a question. Rejects as `login`, and with `invalid-option` for a server that has no login. */
  async logIn(name: string, stop: AbortSignal): Promise<void> {
    const entry = this.#entryOf(name);
    if (!entry) throw usageError(`No server "${name}" takes a login.`, '/tools lists the servers.');
    await this.#logIn(name, entry, AbortSignal.any([this.#options.signal, stop]));
  }

  async #logIn(name: string, entry: HttpServerEntry, signal: AbortSignal): Promise<void> {
    const { pool, openPage, note, store } = this.#options;
    const { tools } = await login(name, entry, {
      ...{ ...store, signal, onWarning: note },
      onUrl: (url) => openPage(name, url),
    });
    note(`${name} accepts the login. It lists ${formatCount(tools, 'tool')}.`);
    await this.#removeRefusal(name, entry);
    await pool.connection(name)?.start(signal);
    this.#asked.delete(name);
  }

  /** A server that has accepted a login, also one of another process, is asked about again when it ends. */
  async #clear({ name, state }: ServerStatus): Promise<void> {
    if (state !== 'ready' || this.#cleared.has(name)) return;
    this.#cleared.add(name);
    const entry = this.#entryOf(name);
    if (entry) await this.#removeRefusal(name, entry);
  }

  /** The entry of a server to which a person logs in. Undefined for other servers. */
  #entryOf(name: string): HttpServerEntry | undefined {
    const entry = this.#options.pool.connection(name)?.entry;
    const isForPeople = entry && canLogIn(entry) && entry.oauth?.grant !== 'client-credentials';
    return isForPeople ? entry : undefined;
  }

  #fileOf(name: string, entry: HttpServerEntry): string {
    return join(this.#refused, `${manifestKey(name, entry)}.json`);
  }

  async #removeRefusal(name: string, entry: HttpServerEntry): Promise<void> {
    await removePrivate(this.#fileOf(name, entry)).catch(() => {});
  }

  #adviceFor({ name, remedy = '' }: ServerStatus): string {
    return this.#options.hasCommand ? `/login ${name} logs in.` : remedy;
  }

  #fail(server: ServerStatus, error: unknown): void {
    const { signal, note } = this.#options;
    if (!signal.aborted) note(`${errorMessage(error)} ${this.#adviceFor(server)}`);
  }
}

/** Most characters of a reason and of an address. */
const MAX_LINE = 300;

/** Whether the user logs in to a server now. `url`: that of the server. The mark begins where nothing is opened. */
function loginQuestion(
  { name, reason = 'it needs a login' }: Pick<ServerStatus, 'name' | 'reason'>,
  url: string,
): Question {
  const server = oneLine(name, MAX_NAME);
  return {
    ...{ kind: 'login', askedBy: 'server', text: `Log in to ${server} now?`, marked: 'no' },
    subject: `The server ${server} cannot be used: ${oneLine(reason, MAX_LINE)}.`,
    details: [
      `  ${oneLine(url, MAX_LINE)}`,
      'Your browser opens a page that the server has chosen. Look at its address before you log in.',
    ],
    choices: [
      { id: 'yes', label: 'Log in: my browser opens', line: { letters: 'y', words: 'yes' } },
      { id: 'no', label: 'Not now', line: { letters: 'n', words: 'not now' } },
    ],
  };
}
