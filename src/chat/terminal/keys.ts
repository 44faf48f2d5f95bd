import { matchesKey } from '@earendil-works/pi-tui';

type Key = Parameters<typeof matchesKey>[1];

/** What a key does. Returns whether it has used the key. */
export type KeyAction = () => boolean;

/** Keys that work wherever the cursor is. */
export interface KeyActions {
  /** Ctrl-C. */
  readonly interrupt: KeyAction;
  /** Esc. */
  readonly cancel: KeyAction;
  /** Ctrl-D. */
  readonly end: KeyAction;
  /** Ctrl-O. */
  readonly open: KeyAction;
  /** Ctrl-R. */
  readonly search: KeyAction;
  /** Ctrl-G. */
  readonly edit: KeyAction;
  /** Ctrl-Z. */
  readonly suspend: KeyAction;
}

const KEYS: readonly (readonly [Key, keyof KeyActions])[] = [
  ['ctrl+c', 'interrupt'],
  ['escape', 'cancel'],
  ['ctrl+d', 'end'],
  ['ctrl+o', 'open'],
  ['ctrl+r', 'search'],
  ['ctrl+g', 'edit'],
  ['ctrl+z', 'suspend'],
];

/** Does what a key is for. Returns whether it was used. */
export function pressed(data: string, actions: KeyActions): boolean {
  return KEYS.some(([key, action]) => matchesKey(data, key) && actions[action]());
}

/** Whether it is Ctrl-C. */
export function isInterrupt(data: string): boolean {
  return matchesKey(data, 'ctrl+c');
}

/** An action that always uses its key. */
export function using(act: () => void): KeyAction {
  return () => {
    act();
    return true;
  };
}
