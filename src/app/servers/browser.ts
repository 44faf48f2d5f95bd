import { spawn } from 'node:child_process';

type Command = readonly [program: string, ...args: string[]];

/** The command that opens an address in the user's browser. No shell reads the address. */
export function browserCommand(url: string, platform: NodeJS.Platform): Command {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}

/** Starts a command without waiting for its end. `onFailure` is called if it does not start or fails. */
function startDetached([program, ...args]: Command, onFailure: () => void): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) onFailure();
  });
  child.unref();
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
    const onFailure = () => note('The browser could not be opened. Open it yourself.');
    if (opens) startDetached(browserCommand(url, process.platform), onFailure);
  };
}
