import type { ChatScreen } from './screen.ts';

/**
 * Runs `work` while the screen is shown. The terminal is as before when it ends, also after a crash.
 * `onEnd` is called when the command is stopped or stdin ends.
 */
export async function whileShown(
  screen: ChatScreen,
  signal: AbortSignal,
  onEnd: () => void,
  work: () => Promise<void>,
): Promise<void> {
  const end = () => {
    screen.end();
    onEnd();
  };
  const leave = () => screen.stop({ preserve: true });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  process.once('exit', leave);
  // The message of a crash must not vanish with the alternate screen.
  process.once('uncaughtExceptionMonitor', leave);
  process.stdin.once('end', end);
  screen.start();
  try {
    await work();
  } finally {
    signal.removeEventListener('abort', end);
    process.off('exit', leave);
    process.off('uncaughtExceptionMonitor', leave);
    process.stdin.off('end', end);
    screen.stop();
  }
}
