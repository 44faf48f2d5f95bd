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
   * that ask for them. A server that refuses is not followed.
   */
  subscribe(client: Client): void {
    if (client.getProtocolEra() !== 'modern') return;
    if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
    void this.#listen(client);
  }

  async #listen(client: Client): Promise<void> {
    try {
      const subscription = await client.listen({ toolsListChanged: true });
      if ((await subscription.closed) !== 'remote') return;
    } catch {
      return;
    }
    const timer = setTimeout(() => {
      if (client.transport === undefined) return;
      // Notices may have been missed.
      this.#notice();
      void this.#listen(client);
    }, PAUSE);
    timer.unref();
  }

  #notice(): void {
    if (this.#listener) this.#listener();
    else this.#isPending = true;
  }
}
