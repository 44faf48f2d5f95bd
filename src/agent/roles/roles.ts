import { type Addressed, matchesTool, type Role, viewOf } from '../../tools/access/index.ts';
import { byCodePoint } from '../../tools/values/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { KNOWN_SERVERS, OFFICE_SERVERS } from './known-servers.ts';

/** What a role may use, the model that plays it, and how many rounds of tools a turn may take. */
export interface RoleSettings extends Role {
  /** `provider/name`; without it the agent's own model. */
  readonly model?: string | undefined;
  /** Without it the global limit. */
  readonly maxRounds?: number | undefined;
}

const { files, shell, git } = KNOWN_SERVERS;
const web = [...KNOWN_SERVERS.web, 'web_search', 'web_fetch', 'web_read'];

/** Looking at files, on servers whose tools keep to the reference file server's names. */
const readingFiles = [
  ...of(
    files,
    'read_* list_* search_* get_file_info directory_tree start_search get_more_search_*',
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

/**
 * The built-in roles with the user's. What the user says of a built-in role replaces it key by key:
 * a list replaces the default list, and a role that is only given a model keeps its ceiling.
 */
export function rolesWith(
  user: Readonly<Record<string, RoleSettings>>,
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
 * `tools` must be all that are known: those of a group that has not listed itself count as missing.
 */
export function unmatchedRoles(
  roles: Readonly<Record<string, RoleSettings>>,
  tools: Iterable<Addressed>,
): readonly UnmatchedRole[] {
  const known = [...tools];
  return Object.entries(roles)
    .sort(([a], [b]) => byCodePoint(a, b))
    .flatMap(([role, settings]) => {
      const globs = settings.tools || [];
      const wantsNone = settings.tools !== undefined && globs.length === 0;
      if (wantsNone) return [];
      const unmatched = [
        ...globs.filter((glob) => !known.some((tool) => matchesTool(glob, tool))),
        ...(settings.groups ?? []).filter((id) => !known.some(({ groupId }) => groupId === id)),
      ];
      const matchesNothing = !known.some(viewOf(roles, role).allows);
      return unmatched.length > 0 || matchesNothing ? [{ role, unmatched, matchesNothing }] : [];
    });
}

/** Tools of these servers by bare name. */
function of(groups: readonly string[], names: string): readonly string[] {
  return groups.flatMap((group) => names.split(' ').map((name) => `${group}/${name}`));
}
