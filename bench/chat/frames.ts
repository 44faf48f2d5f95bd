import { setImmediate as turn } from 'node:timers/promises';
import type { ScreenView } from '../../packages/agent/src/index.ts';
import { ChatDocument } from '../../packages/toolfold/src/chat-view/document.ts';
import { themeWith } from '../../packages/toolfold/src/chat-view/theme.ts';

/** Milliseconds of a core for the frames of a conversation: the first one, and those that add what is above it. */
export async function frames(view: ScreenView): Promise<{ first: number; later: number[] }> {
  let isDue = false;
  const document = new ChatDocument({
    ...{ theme: themeWith(true), hide: (text: string) => text, view: () => view },
    isAtEnd: () => true,
    onToggle: () => {
      isDue = true;
    },
  });
  const frame = (): number => {
    const before = process.cpuUsage();
    document.render(120);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const first = frame();
  const later: number[] = [];
  while (isDue) {
    isDue = false;
    later.push(frame());
    await turn();
  }
  return { first, later };
}
