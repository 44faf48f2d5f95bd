import { spawn } from 'node:child_process';

/** A program and its arguments. */
type Command = readonly [program: string, ...args: string[]];

/** The command that opens an address in the user's browser. No shell reads the address. */
export function browserCommand(url: string, platform: NodeJS.Platform): Command {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}

/** Starts a command without waiting for its end. `onFailure` is called if it does not start or fails. */
export function startDetached([program, ...args]: Command, onFailure: () => void): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) onFailure();
  });
  child.unref();
}
