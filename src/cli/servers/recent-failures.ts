import type { PoolEvent, ServerEntry } from '../../mcp/index.ts';
import {
  type FailureStore,
  failureFiles,
  type KeptFailure,
  type ManifestStore,
} from '../../mcp/manifest/index.ts';

type Servers = ReadonlyMap<string, ServerEntry>;

/** The failures of the last minute: commands that need only lists do not start these servers again. */
export class RecentFailures {
  readonly #servers: Servers;
  readonly #store: FailureStore = failureFiles();
  /** What is being kept, one after the other: the last thing that is known of a server wins. */
  #saved: Promise<void> = Promise.resolve();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /**
   * The servers; those without a list that have failed a moment ago as entries that cannot be used. A
   * server that was only not ready counts if it had more time than `patience`, in milliseconds.
   */
  async marked({ load }: Pick<ManifestStore, 'load'>, patience: number): Promise<Servers> {
    const rows = [...this.#servers].map(async ([name, entry]) => {
      const kept = await this.#store.load(name, entry);
      if (kept === undefined || (kept.waited ?? patience) < patience) return [name, entry] as const;
      if ((await load(name, entry)) !== undefined) return [name, entry] as const;
      const remedy = `${kept.remedy} toolfold list ${name} tries again.`;
      return [name, { kind: 'unusable', reason: kept.reason, remedy }] as const;
    });
    return new Map(await Promise.all(rows));
  }

  /** Keeps what a start has shown. */
  observe(event: PoolEvent): void {
    if (event.kind !== 'state' || event.from.kind !== 'connecting') return;
    if (event.to.kind === 'failed') this.#save(event.server, event.to);
    if (event.to.kind === 'ready') this.#save(event.server, undefined);
  }

  /** Keeps that a server was not ready after this time. */
  keepLate(server: string, milliseconds: number): void {
    const time = (milliseconds / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 });
    const reason = `it was not ready after ${time} s`;
    const remedy = 'Set a longer time with --timeout.';
    this.#save(server, { reason, remedy, waited: milliseconds });
  }

  /** Resolves when everything is kept. */
  kept(): Promise<void> {
    return this.#saved;
  }

  #save(server: string, failure: KeptFailure | undefined): void {
    const entry = this.#servers.get(server);
    if (entry === undefined) return;
    this.#saved = this.#saved.then(() => this.#store.save(server, entry, failure));
  }
}
