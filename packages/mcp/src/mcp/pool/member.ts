import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { DeferredToolGroup } from '@toolfold/core/internal/tools/tool';
import { notUsable, toGroup, toUnavailableGroup } from '../groups/index.ts';
import { redact } from '../secrets/index.ts';
import type { ServerConnection } from '../server/index.ts';
import type { Failure } from '../transport/index.ts';

/** A connection with its group, which is made again only when it differs. */
export class Member {
  readonly connection: ServerConnection;
  isTrusted: boolean;
  #version = '';
  /** Lists of resources and prompts, which are replaced when they change. */
  #others: object | undefined;
  #group: DeferredToolGroup | undefined;

  constructor(connection: ServerConnection, isTrusted: boolean) {
    this.connection = connection;
    this.isTrusted = isTrusted;
    this.refresh();
  }

  get group(): DeferredToolGroup {
    this.#group ??= groupOf(this.connection, this.isTrusted);
    return this.#group;
  }

  /** Returns whether the group differs from the one before. */
  refresh(): boolean {
    const { manifest, state } = this.connection;
    const problem =
      state.kind === 'needs-auth' || (manifest === undefined && state.kind === 'failed')
        ? [state.reason, state.remedy]
        : [manifest === undefined && state.kind === 'closed'];
    const version = JSON.stringify([manifest?.fingerprint, this.isTrusted, problem]);
    if (version === this.#version && manifest?.others === this.#others) return false;
    this.#version = version;
    this.#others = manifest?.others;
    this.#group = undefined;
    return true;
  }
}

/**
 * The group of a server as it is known now. If nothing was ever listed, the group is unavailable, and
 * loading it starts the server.
 */
function groupOf(connection: ServerConnection, trusted: boolean): DeferredToolGroup {
  const { name, entry, manifest, state } = connection;
  if (manifest === undefined) return startingGroup(connection, trusted);
  try {
    const group = toGroup(name, manifest.listing, {
      callTool: (tool, input, options) => connection.callTool(tool, input, options),
      trusted,
      fingerprint: manifest.fingerprint,
    });
    if (state.kind !== 'needs-auth') return group;
    const { reason, remedy } = state;
    return { ...group, unavailable: { reason, remedy } };
  } catch (error) {
    const secrets = entry.kind === 'unusable' ? [] : entry.secrets;
    return toUnavailableGroup(name, {
      reason: `its list of tools cannot be used (${redact(errorMessage(error), secrets)})`,
      remedy: 'Report it to the maker of the server, or remove its entry.',
    });
  }
}

function problemOf({ state }: ServerConnection): Failure {
  if (state.kind === 'failed' || state.kind === 'needs-auth') return state;
  return state.kind === 'closed'
    ? { reason: 'its connection was closed', remedy: 'Connect again.' }
    : { reason: 'it is still starting', remedy: 'Load it to wait for it.' };
}

function startingGroup(connection: ServerConnection, trusted: boolean): DeferredToolGroup {
  return {
    ...toUnavailableGroup(connection.name, problemOf(connection)),
    loader: async ({ signal }) => {
      const state = await connection.start(signal);
      if (state.kind === 'ready') return groupOf(connection, trusted).loader({ signal });
      throw notUsable(connection.name, problemOf(connection));
    },
  };
}
