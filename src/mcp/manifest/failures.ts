import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readPrivate, removePrivate, userFolder, writePrivate } from '../../files/index.ts';
import { ownProperty, parsedJson } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';
import { manifestKey } from './manifest.ts';

/** Milliseconds for which a failure is kept. */
const KEPT_FOR = 60_000;

/** Why a server could not be used a moment ago. Texts without secrets. */
export interface KeptFailure {
  readonly reason: string;
  readonly remedy: string;
  /** Milliseconds after which it was not ready yet, if nothing else is known. */
  readonly waited?: number;
}

/** The last failures of servers, for programs that would only run into them again. */
export interface FailureStore {
  /** The failure of the last minute; `undefined` if there is none, or if the entry has changed. */
  load(server: string, entry: ServerEntry): Promise<KeptFailure | undefined>;
  /** Keeps a failure, or without one forgets it. Never rejects. */
  save(server: string, entry: ServerEntry, failure: KeptFailure | undefined): Promise<void>;
}

/** Keeps failures as files that only the user can read. Default folder: `failures` in the cache folder. */
export function failureFiles(folder: string = join(userFolder('cache'), 'failures')): FailureStore {
  const fileOf = (server: string, entry: ServerEntry): string | undefined => {
    const key = manifestKey(server, entry);
    return key && join(folder, `${key}.json`);
  };
  return {
    async load(server, entry) {
      const file = fileOf(server, entry);
      const kept = file && parsedJson((await readPrivate(file).catch(() => undefined)) ?? '');
      const [at, salt, waited] = ['at', 'salt', 'waited'].map((name) => ownProperty(kept, name));
      const [reason, remedy] = ['reason', 'remedy'].map((name) => ownProperty(kept, name));
      if (typeof at !== 'number' || Math.abs(Date.now() - at) > KEPT_FOR) return;
      if (ownProperty(kept, 'hash') !== hashOf(entry, String(salt))) return;
      if (typeof reason !== 'string' || typeof remedy !== 'string') return;
      return { reason, remedy, ...(typeof waited === 'number' ? { waited } : {}) };
    },
    async save(server, entry, failure) {
      const file = fileOf(server, entry);
      if (file === undefined) return;
      const salt = randomUUID();
      const kept = failure && { ...failure, at: Date.now(), salt, hash: hashOf(entry, salt) };
      const writing = kept ? writePrivate(file, JSON.stringify(kept)) : removePrivate(file);
      // The next command tries the server again.
      await writing.catch(() => {});
    },
  };
}

/** Changes with what starts the server: its entry, secrets included, and the folders of programs. */
function hashOf(entry: ServerEntry, salt: string): string {
  const text = JSON.stringify([salt, process.env.PATH, entry], (key, value) => {
    if (key === 'callTimeout' || key === 'toolTimeouts') return;
    return value instanceof Map ? [...value] : value;
  });
  return createHash('sha256').update(text).digest('base64url');
}
