import type { DeferredToolGroup } from '../../tools/tool/index.ts';
import type { ServerConnection } from '../server/index.ts';
import { groupOf } from './group-of.ts';

/** A connection with its group, which is made again only when it differs. */
export class Member {
  readonly connection: ServerConnection;
  #isTrusted: boolean;
  #version = '';
  #group: DeferredToolGroup | undefined;

  constructor(connection: ServerConnection, isTrusted: boolean) {
    this.connection = connection;
    this.#isTrusted = isTrusted;
    this.refresh();
  }

  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  set isTrusted(value: boolean) {
    this.#isTrusted = value;
  }

  get group(): DeferredToolGroup {
    this.#group ??= groupOf(this.connection, this.#isTrusted);
    return this.#group;
  }

  /** Returns whether the group differs from the one before. */
  refresh(): boolean {
    const { manifest, state } = this.connection;
    const problem =
      state.kind === 'needs-auth' || (manifest === undefined && state.kind === 'failed')
        ? [state.reason, state.remedy]
        : [manifest === undefined && state.kind === 'closed'];
    const version = JSON.stringify([manifest?.fingerprint, this.#isTrusted, problem]);
    if (version === this.#version) return false;
    this.#version = version;
    this.#group = undefined;
    return true;
  }
}
