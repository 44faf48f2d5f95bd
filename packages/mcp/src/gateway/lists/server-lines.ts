import { type CatalogLines, hintOf, statusText } from '@toolfold/core/internal/tools/epoch';
import { groupSlug } from '@toolfold/core/internal/tools/names';
import { plainLine } from '@toolfold/core/internal/tools/values';

/** The strategies with a catalog. */
export type CatalogStrategy = 'bridge' | 'dispatch';

/** What the lines mean, for models. */
export const READING: Readonly<Record<CatalogStrategy, string>> = {
  bridge: 'In the list below, a line "x__ (2): a b" is a server with the tools x__a and x__b.',
  dispatch: 'In the list below, a line "mcp:x (2): a b" is a group with the tools x__a and x__b.',
};

/**
 * A server in the catalog: one line with what the names of its tools begin with, and then the rest of each
 * name. Names for clients have no spaces, and a comma behind each would cost a token.
 */
export function serverLines(strategy: CatalogStrategy): CatalogLines {
  return (group, detail) => {
    const { groupId, tools, listed, unavailable } = group;
    const start = strategy === 'bridge' ? `${groupSlug(groupId)}__` : plainLine(groupId, 80);
    const about = detail.about > 0 ? plainLine(group.description ?? '', detail.about) : '';
    const count = listed && !unavailable ? tools.length : statusText(group);
    const head = `${start} (${count})${about && ` "${about}"`}`;
    if (detail.names === 0 || tools.length === 0) return head;
    if (detail.hints) return [`${head}:`, ...tools.map((tool) => `  ${hintOf(tool)}`)].join('\n');
    const names = tools.slice(0, detail.names).map(({ name }) => name);
    const left = tools.length - names.length;
    return `${head}: ${names.join(' ')}${left > 0 ? ` … (+${left} more)` : ''}`;
  };
}
