import type { Method } from '../method.ts';
import { aiSdk } from './ai-sdk.ts';
import { miniSearch } from './minisearch.ts';
import { orama } from './orama.ts';
import { OURS } from './ours.ts';
import { sqlite } from './sqlite.ts';
import { wink } from './wink.ts';

/** Every way to search that is compared. Ours come first. */
export const METHODS: readonly Method[] = [...OURS, wink, sqlite, miniSearch, aiSdk, orama];
