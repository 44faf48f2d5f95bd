import { spawn } from 'node:child_process';
import type { ServerEntry } from '@toolfold/mcp/internal/config';
import { usageError } from '../terminal/index.ts';

const VARIABLES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];
const LOOPBACK = ['localhost', '.localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Sends all requests of this process through the proxies that its environment names, but for those to this
 * computer. Only for commands: the setting belongs to the whole process. Throws `invalid-option` for a
 * variable that names no proxy.
 */
export function useProxies(
  servers: ReadonlyMap<string, ServerEntry>,
  note: (text: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (!VARIABLES.some((name) => env[name])) return;
  // Absent in Node before 24.14. Loaded only here: with `fetch` it is a tenth of a start.
  const { setGlobalProxyFromEnv: setProxies } = process.getBuiltinModule('node:http') as {
    readonly setGlobalProxyFromEnv?: (env: NodeJS.ProcessEnv) => unknown;
  };
  const hosts = [...servers.values()].flatMap((entry) =>
    'url' in entry ? [URL.parse(entry.url)?.hostname ?? ''] : [],
  );
  if (setProxies === undefined) {
    if (hosts.length > 0 && !env.NODE_USE_ENV_PROXY)
      note('Proxies are not used: this takes Node 24.14, or NODE_USE_ENV_PROXY=1.');
    return;
  }
  const local = hosts.filter((host) => host.startsWith('127.'));
  const direct = [env.no_proxy ?? env.NO_PROXY ?? '', ...LOOPBACK, ...local].filter(Boolean);
  try {
    setProxies({ ...env, no_proxy: direct.join(','), NO_PROXY: direct.join(',') });
  } catch (error) {
    // The message of the error may hold a password.
    throw usageError(
      'HTTP_PROXY or HTTPS_PROXY does not name a proxy.',
      'Set it to an address, such as http://proxy.example.com:3128.',
      error,
    );
  }
}

/** The command that opens an address in the user's browser. No shell reads the address. */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform,
): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}

/**
 * Shows where the user logs in to a server, and opens the page in the browser of this computer unless `opens` is
 * false.
 */
export function showPageWith(
  note: (text: string) => void,
  opens = true,
): (server: string, url: string) => void {
  return (server, url) => {
    note(`Open this address to log in to ${server}:`);
    note(url);
    if (opens) openPage(url, note);
  };
}

/** Opens an address in the browser of this computer. Notes if that fails. */
export function openPage(url: string, note: (text: string) => void): void {
  const onFailure = () => note('The browser could not be opened. Open the address yourself.');
  const [program, ...args] = browserCommand(url, process.platform);
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.once('error', onFailure);
  child.once('exit', (code) => code && onFailure());
  child.unref();
}
