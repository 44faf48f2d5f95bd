import { groupSlug } from '@toolfold/core/internal/tools/names';
import { groupOf, type KnownTool } from '@toolfold/mcp/internal/known-tools';

/** What stands between a server and its tool: `github__create_issue`, `github/…`, `github.…`. */
const SEPARATORS = ['__', '/', '.'];

/** The server of this name, as configured or as it is shown in the names of its tools. */
export function namedServer(word: string, servers: Iterable<string>): string | undefined {
  return [...servers].find((server) => spellingsOf(server).includes(word));
}

/** The servers whose tools a word may mean, such as `server.tool`; the longest name first. */
export function addressedServers(word: string, servers: Iterable<string>): string[] {
  return [...servers]
    .filter((server) => prefixesOf(server).some((prefix) => word.startsWith(prefix)))
    .sort((one, other) => other.length - one.length);
}

/** Whether a word is a tool's canonical name, or its server and name with any separator. */
export function isNamed(word: string, { name, server, bare }: KnownTool): boolean {
  return word === name || prefixesOf(server).some((prefix) => word === `${prefix}${bare}`);
}

function prefixesOf(server: string): string[] {
  return spellingsOf(server).flatMap((spelling) => SEPARATORS.map((mark) => spelling + mark));
}

function spellingsOf(server: string): string[] {
  const groupId = groupOf(server);
  return [server, groupId, groupSlug(groupId)];
}
