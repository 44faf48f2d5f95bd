import type { Client } from '../transport/index.ts';

/** Milliseconds before a subscription that ended is opened again. */
const PAUSE = 5000;

/** Follows the notices of one server that its list of tools has changed. */
export class ListChanges {
  #listener: (() => void) | undefined;
  /** A notice came before anybody listened. */
  #isPending = false;

  onChange(listener: () => void): void {
    this.#listener = listener;
    if (!this.#isPending) return;
    this.#isPending = false;
    listener();
  }

  /** Call this before the client connects. */
  follow(client: Client): void {
    client.setNotificationHandler('notifications/tools/list_changed', () => this.#notice());
  }

  /**
   * Call this when the client is connected. Since 2026-07-28 a server sends notices only to clients
   * that ask for them. A server that refuses is not followed. `withOthers`: also changes of the lists of
   * resources and prompts.
   */
  subscribe(client: Client, withOthers: boolean): void {
    if (client.getProtocolEra() !== 'modern') return;
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(withOthers && prompts?.listChanged && { promptsListChanged: true }),
      ...(withOthers && resources?.listChanged && { resourcesListChanged: true }),
    };
    if (Object.keys(filter).length > 0) void this.#listen(client, filter);
  }

  async #listen(client: Client, filter: Parameters<Client['listen']>[0]): Promise<void> {
    try {
      const subscription = await client.listen(filter);
      if ((await subscription.closed) !== 'remote') return;
    } catch {
      return;
    }
    const timer = setTimeout(() => {
      if (client.transport === undefined) return;
      // Notices may have been missed.
      this.#notice();
      void this.#listen(client, filter);
    }, PAUSE);
    timer.unref();
  }

  #notice(): void {
    if (this.#listener) this.#listener();
    else this.#isPending = true;
  }
}
