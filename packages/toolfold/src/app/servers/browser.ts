import { spawn } from 'node:child_process';

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
    if (!opens) return;
    const onFailure = () => note('The browser could not be opened. Open it yourself.');
    const [program, ...args] = browserCommand(url, process.platform);
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    child.once('error', onFailure);
    child.once('exit', (code) => code && onFailure());
    child.unref();
  };
}
