export type {
  ExposureChange,
  LargeValue,
  WireBar,
  WireCommand,
  WireFile,
  WireListed,
  WireMap,
  WirePreview,
  WirePrompt,
  WireQuestion,
  WireTool,
} from 'toolfold/internal/web-wire';
export { newSession, read, readJson, removeSession, takeToken } from './api.ts';
export { getSession, setSession } from './context.ts';
export { money, moneyText } from './money.ts';
export { OpenSession } from './open-session.svelte.ts';
export type { FormField, ScreenCall, ScreenChild, ScreenTurn } from './types.ts';
