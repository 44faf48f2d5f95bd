import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  readPrivate,
  removePrivate,
  userFolder,
  writePrivate,
} from '@toolfold/config/internal/files';
import { ownProperty, parsedJson } from '@toolfold/core/internal/tools/values';
import type { Failure, ManifestStore, PoolEvent, ServerEntry } from '@toolfold/mcp/internal/mcp';
import { manifestKey } from '@toolfold/mcp/internal/mcp/manifest';

/** Milliseconds for which a failure is kept. */
const KEPT_FOR = 60_000;

type Servers = ReadonlyMap<string, ServerEntry>;

/** Why a server could not be used a moment ago. Texts without secrets. */
interface KeptFailure extends Failure {
  /** Milliseconds after which it was not ready yet, if nothing else is known. */
  readonly waited?: number;
}

/** The failures of the last minute: commands that need only lists do not start these servers again. */
export class RecentFailures {
  readonly #servers: Servers;
  /** What is being kept, one after the other: the last thing that is known of a server wins. */
  #saved: Promise<void> = Promise.resolve();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /**
   * The servers; those without a list that have failed a moment ago as entries that cannot be used. A
   * server that was only not ready counts if it had at least `patience` milliseconds.
   */
  async marked({ load }: Pick<ManifestStore, 'load'>, patience: number): Promise<Servers> {
    const rows = [...this.#servers].map(async ([name, entry]) => {
      const kept = await failureOf(name, entry);
      if (kept === undefined || (kept.waited ?? patience) < patience) return [name, entry] as const;
      if ((await load(name, entry)) !== undefined) return [name, entry] as const;
      const remedy = `${kept.remedy} toolfold list ${name} tries again.`;
      return [name, { kind: 'unusable', reason: kept.reason, remedy }] as const;
    });
    return new Map(await Promise.all(rows));
  }

  observe(event: PoolEvent): void {
    if (event.kind !== 'state' || event.from.kind !== 'connecting') return;
    if (event.to.kind === 'failed') this.#save(event.server, event.to);
    if (event.to.kind === 'ready') this.#save(event.server, undefined);
  }

  /** Keeps that a server was not ready after this time. */
  keepLate(server: string, milliseconds: number): void {
    const reason = `it was not ready after ${(milliseconds / 1000).toLocaleString('en-US')} s`;
    const remedy = 'Set a longer time with --timeout.';
    this.#save(server, { reason, remedy, waited: milliseconds });
  }

  kept(): Promise<void> {
    return this.#saved;
  }

  #save(server: string, failure: KeptFailure | undefined): void {
    const entry = this.#servers.get(server);
    const file = entry && fileOf(server, entry);
    if (entry === undefined || file === undefined) return;
    const salt = randomUUID();
    const kept = failure && { ...failure, at: Date.now(), salt, hash: hashOf(entry, salt) };
    const save = async (): Promise<void> => {
      await (kept ? writePrivate(file, JSON.stringify(kept)) : removePrivate(file));
    };
    // What is not kept is tried again by the next command.
    this.#saved = this.#saved.then(save).catch(() => {});
  }
}

async function failureOf(server: string, entry: ServerEntry): Promise<KeptFailure | undefined> {
  const file = fileOf(server, entry);
  const kept = file && parsedJson((await readPrivate(file).catch(() => undefined)) ?? '');
  const [at, waited] = ['at', 'waited'].map((name) => ownProperty(kept, name));
  const [reason, remedy, salt] = ['reason', 'remedy', 'salt'].map((key) => ownProperty(kept, key));
  if (typeof at !== 'number' || Math.abs(Date.now() - at) > KEPT_FOR) return;
  if (ownProperty(kept, 'hash') !== hashOf(entry, String(salt))) return;
  if (typeof reason !== 'string' || typeof remedy !== 'string') return;
  return { reason, remedy, ...(typeof waited === 'number' ? { waited } : {}) };
}

function fileOf(server: string, entry: ServerEntry): string | undefined {
  const key = manifestKey(server, entry);
  return key && join(userFolder('cache'), 'failures', `${key}.json`);
}

/** Changes with what starts the server: its entry, secrets included, and the folders of programs. */
function hashOf(entry: ServerEntry, salt: string): string {
  const text = JSON.stringify([salt, process.env.PATH, entry], (key, value) => {
    if (key === 'callTimeout' || key === 'maxCallTime' || key === 'toolTimeouts') return;
    return value instanceof Map ? [...value] : value;
  });
  return createHash('sha256').update(text).digest('base64url');
}
