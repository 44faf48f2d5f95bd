import type { AgentEvent } from '../events/index.ts';
import { advance } from './advance.ts';
import type { ScreenView } from './view.ts';

/** A screen that follows the events of one agent. */
export interface Screen {
  /** What it shows now. Parts that have not changed are the same objects as before. */
  readonly view: ScreenView;
  take(event: AgentEvent): void;
}

/** Creates a screen, with what an earlier one showed. */
export function createScreen(view: ScreenView = { turns: [] }): Screen {
  const turns = [...view.turns];
  let now: ScreenView | undefined = view;
  return {
    get view() {
      now ??= { turns: [...turns] };
      return now;
    },
    take(event) {
      advance(turns, event);
      now = undefined;
    },
  };
}

/** What a screen shows after these events. */
export function screenOf(events: Iterable<AgentEvent>): ScreenView {
  const screen = createScreen();
  for (const event of events) screen.take(event);
  return screen.view;
}
