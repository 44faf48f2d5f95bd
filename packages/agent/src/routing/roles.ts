import type { RoleSettings } from '@toolfold/config/internal/settings';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { viewOf } from '@toolfold/core/internal/registry';
import type { KnownTools } from '@toolfold/core/internal/session';
import { looseGlobs, mayMatchIn, pick } from '@toolfold/core/internal/values';
import { RECALL } from '../entries/index.ts';
import { SUBAGENTS } from '../tasks/index.ts';
import { KNOWN_SERVERS, OFFICE_SERVERS, type Subject } from './known-servers.ts';

const web = [...on('web'), 'web_search', 'web_fetch', 'web_read'];

/** Tools that only read files. A file server may also start, list or read processes. */
const readingFiles = [
  ...of(
    on('files'),
    'read_*file* list_*director* search_* get_file_info directory_tree start_search ' +
      'get_more_search_* list_searches stop_search',
  ),
  ...of(['mcp:pdf*'], 'list_* read_* display_*'),
];
const planning = on('thinking', 'memory', 'tasks', 'calendar', 'reminders', 'notes', 'time');

/**
 * The built-in roles. `chat` and `distill` have no tools, `admin` has all. The globs of the others
 * name well-known servers, and tools of the app with common names.
 */
export const BUILT_IN_ROLES: Readonly<Record<string, RoleSettings>> = {
  chat: { tools: false },
  distill: { tools: false },
  research: {
    tools: [...web, ...on('documentation', 'papers'), ...readingFiles, SUBAGENTS, RECALL],
  },
  coder: {
    tools: [
      ...on('files', 'shell', 'git', 'code-hosting', 'code-quality', 'documentation'),
      ...'read_file write_file edit_file list_directory search_files shell bash'.split(' '),
      SUBAGENTS,
      RECALL,
    ],
    maxRounds: 20,
  },
  orchestrator: {
    tools: [
      ...web,
      ...planning,
      ...on('mail', 'chat'),
      ...readingFiles,
      ...of(on('code-hosting'), '*issue* *pull_request* *merge_request*'),
      ...of(
        OFFICE_SERVERS,
        '*calendar* *meeting* *mail* *todo* *planner* *chat* *channel* *onenote*',
      ),
      SUBAGENTS,
      RECALL,
    ],
    maxRounds: 15,
  },
  admin: {},
};

for (const { tools } of Object.values(BUILT_IN_ROLES)) if (tools) looseGlobs(tools);

/** A role by name; undefined if there is none. */
export function roleIn(
  roles: Readonly<Record<string, RoleSettings>>,
  name: string | undefined,
): RoleSettings | undefined {
  return name !== undefined && Object.hasOwn(roles, name) ? roles[name] : undefined;
}

/** Throws `unknown-role` for a role that a fold does not have. For a built-in role the hint says how to add it. */
export function requireRole(roles: Readonly<Record<string, RoleSettings>>, name: string): void {
  if (!Object.hasOwn(roles, name) && Object.hasOwn(BUILT_IN_ROLES, name)) {
    throw new ToolfoldError(
      'unknown-role',
      `The fold has no role "${name}".`,
      'createAgent() adds the built-in roles if it creates the fold. Otherwise add them: createFold({ roles: rolesWith() }).',
    );
  }
  viewOf(roles, name);
}

/**
 * The built-in roles together with the user's. A setting for a built-in role replaces only that key:
 * a list replaces the default list, and a role that only gets a model keeps its tools.
 */
export function rolesWith(
  user: Readonly<Record<string, RoleSettings>> = {},
): Readonly<Record<string, RoleSettings>> {
  const roles = new Map(Object.entries(BUILT_IN_ROLES));
  for (const [name, settings] of Object.entries(user)) {
    const given = pick(settings, 'tools', 'groups', 'model', 'maxRounds');
    roles.set(name, { ...roles.get(name), ...given });
  }
  return Object.fromEntries(roles);
}

/** The maximum number of names in a warning. */
const SHOWN = 10;

/**
 * The warning for a role that names tools of which none exists. Undefined if one exists, or may be in a group
 * whose tool names are not known yet, and for a role without tools.
 */
export function emptyRoleWarning(
  roles: Readonly<Record<string, RoleSettings>>,
  name: string,
  { tools: known, unnamed }: KnownTools,
): string | undefined {
  const role = roleIn(roles, name);
  const { tools: globs = ['*'], groups } = role ?? { tools: false };
  if (globs === false || globs.length === 0) return;
  const { allows } = viewOf(roles, name);
  // The agent adds this tool itself, so it does not show that the role finds a tool.
  const isThere = known.some((tool) => tool.name !== RECALL && allows(tool));
  const mayCome = unnamed.some(
    ({ groupId, prefix }) =>
      (groups?.includes(groupId) ?? true) &&
      globs.some((glob) => mayMatchIn(glob, groupId, prefix)),
  );
  if (isThere || mayCome) return;
  const asked = [...(role?.tools || []), ...(groups ?? [])];
  const more = asked.length > SHOWN ? ` and ${asked.length - SHOWN} more` : '';
  const what = asked.length === 0 ? 'any tool' : `${asked.slice(0, SHOWN).join(', ')}${more}`;
  return `The role "${name}" names tools, but no available tool matches ${what}. Check its tool patterns and the connected servers.`;
}

/** The servers for these subjects. */
function on(...subjects: readonly Subject[]): readonly string[] {
  return subjects.flatMap((subject) => KNOWN_SERVERS[subject]);
}

/** Globs of these tools of these groups, by bare name. */
function of(groups: readonly string[], names: string): readonly string[] {
  return groups.flatMap((group) => names.split(' ').map((name) => `${group}/${name}`));
}
