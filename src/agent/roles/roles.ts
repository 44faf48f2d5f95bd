import type { RoleSettings } from '../../config/index.ts';
import { ToolfoldError } from '../../errors.ts';
import { matchesTool, mayMatchIn, viewOf } from '../../tools/access/index.ts';
import type { KnownTools } from '../../tools/index.ts';
import { byCodePoint } from '../../tools/values/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { KNOWN_SERVERS, OFFICE_SERVERS } from './known-servers.ts';

const { files, shell, git } = KNOWN_SERVERS;
const web = [...KNOWN_SERVERS.web, 'web_search', 'web_fetch', 'web_read'];

/** Looking at files and nothing else: a file server may start processes too, and list or read those. */
const readingFiles = [
  ...of(
    files,
    'read_*file* list_*director* search_* get_file_info directory_tree start_search ' +
      'get_more_search_* list_searches stop_search',
  ),
  ...of(['mcp:pdf*'], 'list_* read_* display_*'),
];
const planning = [
  ...KNOWN_SERVERS.thinking,
  ...KNOWN_SERVERS.memory,
  ...KNOWN_SERVERS.tasks,
  ...KNOWN_SERVERS.calendar,
  ...KNOWN_SERVERS.reminders,
  ...KNOWN_SERVERS.notes,
  ...KNOWN_SERVERS.time,
];
const correspondence = [...KNOWN_SERVERS.mail, ...KNOWN_SERVERS.chat];

/**
 * The roles that are there without configuration. `chat` and `distill` have no tools, `admin` has
 * all; the globs of the others name well-known servers and the app's own tools of usual names.
 */
export const BUILT_IN_ROLES: Readonly<Record<string, RoleSettings>> = {
  chat: { tools: false },
  distill: { tools: false },
  research: {
    tools: [
      ...web,
      ...KNOWN_SERVERS.documentation,
      ...KNOWN_SERVERS.papers,
      ...readingFiles,
      SUBAGENTS,
    ],
  },
  coder: {
    tools: [
      ...files,
      ...shell,
      ...git,
      ...KNOWN_SERVERS['code-hosting'],
      ...KNOWN_SERVERS['code-quality'],
      ...KNOWN_SERVERS.documentation,
      ...'read_file write_file edit_file list_directory search_files shell bash'.split(' '),
      SUBAGENTS,
    ],
    maxRounds: 20,
  },
  orchestrator: {
    tools: [
      ...web,
      ...planning,
      ...correspondence,
      ...readingFiles,
      ...of(KNOWN_SERVERS['code-hosting'], '*issue* *pull_request* *merge_request*'),
      ...of(
        OFFICE_SERVERS,
        '*calendar* *meeting* *mail* *todo* *planner* *chat* *channel* *onenote*',
      ),
      SUBAGENTS,
    ],
    maxRounds: 15,
  },
  admin: {},
};

/** A role by name; undefined where there is none. */
export function roleIn(
  roles: Readonly<Record<string, RoleSettings>>,
  name: string | undefined,
): RoleSettings | undefined {
  return name !== undefined && Object.hasOwn(roles, name) ? roles[name] : undefined;
}

/** Throws `unknown-role` for a role that a fold does not have; where it is a built-in one, with the way to it. */
export function requireRole(roles: Readonly<Record<string, RoleSettings>>, name: string): void {
  if (!Object.hasOwn(roles, name) && Object.hasOwn(BUILT_IN_ROLES, name)) {
    throw new ToolfoldError(
      'unknown-role',
      `The fold has no role "${name}".`,
      'The built-in roles are there where createAgent() makes the fold; or give them: createFold({ roles: rolesWith() }).',
    );
  }
  viewOf(roles, name);
}

/**
 * The built-in roles with the user's. What the user says of a built-in role replaces it key by key:
 * a list replaces the default list, and a role that is only given a model keeps its ceiling.
 */
export function rolesWith(
  user: Readonly<Record<string, RoleSettings>> = {},
): Readonly<Record<string, RoleSettings>> {
  const roles = new Map(Object.entries(BUILT_IN_ROLES));
  for (const [name, settings] of Object.entries(user)) {
    const base = roles.get(name);
    roles.set(name, {
      tools: settings.tools ?? base?.tools,
      groups: settings.groups ?? base?.groups,
      model: settings.model ?? base?.model,
      maxRounds: settings.maxRounds ?? base?.maxRounds,
    });
  }
  return Object.fromEntries(roles);
}

/** A role whose lists name what is not there. */
export interface UnmatchedRole {
  readonly role: string;
  /** Its globs and groups that match no tool, in the order written. */
  readonly unmatched: readonly string[];
  /** It asks for tools and gets none: worth saying also of a role with defaults. */
  readonly matchesNothing: boolean;
}

/**
 * Roles that ask for tools that are not there, by name; roles that want none are never among them.
 * What a group may have that has not named its tools counts as there.
 */
export function unmatchedRoles(
  roles: Readonly<Record<string, RoleSettings>>,
  { tools: known, unnamed }: KnownTools,
): readonly UnmatchedRole[] {
  return Object.entries(roles)
    .sort(([a], [b]) => byCodePoint(a, b))
    .flatMap(([role, settings]) => {
      const globs = settings.tools || [];
      const wantsNone = settings.tools !== undefined && globs.length === 0;
      if (wantsNone) return [];
      const mayCome = (glob: string) =>
        unnamed.some(
          ({ groupId, prefix }) =>
            (settings.groups?.includes(groupId) ?? true) && mayMatchIn(glob, groupId, prefix),
        );
      const unmatched = [
        ...globs.filter((glob) => !known.some((tool) => matchesTool(glob, tool)) && !mayCome(glob)),
        ...(settings.groups ?? []).filter(
          (id) => ![...known, ...unnamed].some(({ groupId }) => groupId === id),
        ),
      ];
      const asked = settings.tools === undefined ? ['*'] : globs;
      const matchesNothing =
        !known.some(viewOf(roles, role).allows) && !asked.some((glob) => mayCome(glob));
      return unmatched.length > 0 || matchesNothing ? [{ role, unmatched, matchesNothing }] : [];
    });
}

/** Tools of these servers by bare name. */
function of(groups: readonly string[], names: string): readonly string[] {
  return groups.flatMap((group) => names.split(' ').map((name) => `${group}/${name}`));
}

/** Names that a warning shows at most. */
const SHOWN = 10;

/** What is to be said of a role that asks for tools and finds none; undefined where it finds some. */
export function emptyRoleWarning(
  roles: Readonly<Record<string, RoleSettings>>,
  name: string,
  known: KnownTools,
): string | undefined {
  const role = roleIn(roles, name);
  const [found] = role ? unmatchedRoles({ [name]: role }, known) : [];
  if (!role || !found?.matchesNothing) return;
  const asked = [...(role.tools || []), ...(role.groups ?? [])];
  const more = asked.length > SHOWN ? ` and ${asked.length - SHOWN} more` : '';
  const what = asked.length === 0 ? 'any tool' : `${asked.slice(0, SHOWN).join(', ')}${more}`;
  return `The role "${name}" names tools, but no available tool matches ${what}. Check its tool patterns and the connected servers.`;
}
