import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageError } from '../../app/terminal/index.ts';
import { harmlessInput } from '../input/index.ts';
import type { ChatScreen } from './screen/index.ts';

/** Stops the process as Ctrl-Z does in a shell. Calls back when the shell continues it. */
export function suspend(screen: ChatScreen, onBack: () => void): void {
  screen.stop({ preserve: true });
  // While stdin is not read, nothing else may keep the process running.
  const running = setInterval(() => {}, 1_000_000);
  process.once('SIGCONT', () => {
    clearInterval(running);
    onBack();
    screen.start();
  });
  process.kill(process.pid, 'SIGTSTP');
}

/**
 * Opens a text in the user's editor ($VISUAL, $EDITOR, or vi), and resolves with what was saved. Rejects
 * with `invalid-option` if the editor can not be started or fails.
 */
export async function editElsewhere(screen: ChatScreen, text: string): Promise<string> {
  const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    screen.stop({ preserve: true });
    // The variable may hold arguments, so a shell reads it, as git does.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code !== 0)
      throw usageError(
        `The editor "${editor}" has ended with code ${code}.`,
        'Set the variable EDITOR to a program that waits until the file is closed.',
      );
    return harmlessInput(await readFile(file, 'utf8')).replace(/\n$/, '');
  } finally {
    screen.start();
    await rm(folder, { recursive: true, force: true });
  }
}
