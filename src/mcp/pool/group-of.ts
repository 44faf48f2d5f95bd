import { errorMessage, ToolfoldError } from '../../errors.ts';
import type { DeferredToolGroup } from '../../tools/tool/index.ts';
import { toGroup, toUnavailableGroup } from '../groups/index.ts';
import { redact } from '../secrets/index.ts';
import type { ServerConnection } from '../server/index.ts';
import type { Failure } from '../transport/index.ts';

/**
 * The group of a server as it is known now. If nothing was ever listed, the group is unavailable, and
 * loading it starts the server.
 */
export function groupOf(connection: ServerConnection, trusted: boolean): DeferredToolGroup {
  const { name, entry, manifest, state } = connection;
  if (manifest === undefined) return startingGroup(connection, trusted, problemOf(connection));
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

/** Why a server without a list of tools has none. */
function problemOf({ state }: ServerConnection): Failure {
  if (state.kind === 'failed' || state.kind === 'needs-auth') return state;
  return state.kind === 'closed'
    ? { reason: 'its connection was closed', remedy: 'Connect again.' }
    : { reason: 'it is still starting', remedy: 'Load it to wait for it.' };
}

function startingGroup(
  connection: ServerConnection,
  trusted: boolean,
  failure: Failure,
): DeferredToolGroup {
  const group = toUnavailableGroup(connection.name, failure);
  return {
    ...group,
    loader: async ({ signal }) => {
      const state = await connection.start(signal);
      if (state.kind === 'ready') return groupOf(connection, trusted).loader({ signal });
      const { reason, remedy } = problemOf(connection);
      throw new ToolfoldError(
        'connection-failed',
        `The MCP server ${connection.name} cannot be used: ${reason}.`,
        remedy,
      );
    },
  };
}
