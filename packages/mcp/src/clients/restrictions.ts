import { quote } from '@toolfold/config/internal/quote.ts';
import {
  isRecord,
  type JsonValue,
  matchesGlob,
  ownProperties,
  ownProperty,
} from '@toolfold/core/internal/values';
import { mayRestrict, mayRestrictServers, restrictsServer } from './key-table.ts';
import type { ClientPlace } from './places.ts';

/** Which tools of a server are offered. Globs are possible. */
export interface ToolLists {
  /** Only these. Left out: all. */
  readonly only?: readonly string[];
  /** None of these, whatever `only` says. */
  readonly without: readonly string[];
}

export const ALL_TOOLS: ToolLists = { without: [] };

/** The tools that both offer. */
export function bothLists(one: ToolLists, other: ToolLists): ToolLists {
  const without = [...one.without, ...other.without];
  if (one.only === undefined || other.only === undefined)
    return { ...pickOnly(one.only ?? other.only), without };
  // Globs have no intersection that can be written, so only equal ones count.
  const { only } = other;
  return { only: one.only.filter((glob) => only.includes(glob)), without };
}

function pickOnly(only: readonly string[] | undefined): Pick<ToolLists, 'only'> {
  return only === undefined ? {} : { only };
}

/** Whether a tool is offered, by the name that its server gives it. */
export function isOffered({ only, without }: ToolLists, tool: string): boolean {
  // Gemini CLI allows a name with arguments behind it.
  const names = (glob: string): boolean => {
    const name = glob.replace(/\(.*$/s, '');
    return name === tool || matchesGlob(name, tool);
  };
  // A list that restricts does so in any case of letters.
  const hides = (glob: string): boolean =>
    matchesGlob(glob.replace(/\(.*$/s, '').toLowerCase(), tool.toLowerCase());
  return (
    (only === undefined || only.some(names)) && !without.some((one) => names(one) || hides(one))
  );
}

/**
 * The rules of `exposure` for a server with these lists of its clients. The last rule that matches wins. A
 * tool that one client hides is hidden: to show it again is easier than to miss it.
 */
export function exposureFor(
  server: string,
  lists: readonly ToolLists[],
): readonly (readonly [glob: string, exposure: 'deferred' | 'hidden'])[] {
  const named = (tool: string): string => `mcp:${server}/${tool}`;
  const limits = lists.flatMap(({ only }) => only ?? []);
  const shown = new Set(limits.filter((tool) => tool !== '*'));
  const isLimited = lists.some(({ only }) => only !== undefined && !only.includes('*'));
  const hidden = new Set(lists.flatMap(({ without }) => without));
  return [
    ...(isLimited ? [[named('*'), 'hidden'] as const] : []),
    ...[...shown].map((tool) => [named(tool), 'deferred'] as const),
    ...[...hidden].map((tool) => [named(tool), 'hidden'] as const),
  ];
}

/** A server to which a restriction may apply. */
interface RestrictedServer {
  readonly name: string;
  readonly entry: JsonValue;
  /** Whether a file of the project lists it. */
  readonly isOfProject: boolean;
}

/** What a client's file says about a server outside of its entry. */
interface Restricted {
  readonly isDisabled?: boolean;
  /** Tools that are not offered. */
  readonly without?: readonly string[];
  /** Why it is not started. */
  readonly refusal?: string;
}

export type Restriction = (server: RestrictedServer) => Restricted;

/** The restrictions in a file of a client. `file`: for messages. Never throws. */
export function restrictionsIn(client: string, root: JsonValue, file: string): Restriction[] {
  // The sandbox in the settings of Claude Code is about its own commands.
  const isOfServers = OF_SERVERS.includes(client);
  const sandbox = isOfServers ? [sandboxInCode] : [];
  const inside = isOfServers || /\.mcp\.json$/.test(file) ? [unknownInside] : [];
  return [...READERS, ...sandbox, unknownBeside, ...inside].flatMap((read) => {
    try {
      return read(root);
    } catch (error) {
      if (!(error instanceof NotAList)) throw error;
      return [unknownRestriction(`"${error.message}" of ${file} is no list of texts`)];
    }
  });
}

/** What a file that cannot be read restricts is not known, so nothing that it may restrict is started. */
export function unknownRestriction(problem: string): Restriction {
  return () => ({ refusal: `${problem}, so it may be disabled there` });
}

class NotAList extends Error {}

/** The texts at a path. Throws `NotAList`: a wrong value may have been meant as a restriction. */
function textsAt(root: unknown, ...path: readonly string[]): readonly string[] | undefined {
  const value = path.reduce<unknown>(ownProperty, root);
  if (value === undefined || value === null) return;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new NotAList(path.join('.'));
}

function disabling(isOff: (server: RestrictedServer) => boolean): Restriction {
  return (server) => (isOff(server) ? { isDisabled: true } : {});
}

type RestrictionReader = (root: JsonValue) => Restriction[];

const rejectedInClaude: RestrictionReader = (root) => {
  const rejected = textsAt(root, 'disabledMcpjsonServers') ?? [];
  const disabled = textsAt(root, 'disabledMcpServers') ?? [];
  return [
    disabling(({ name, isOfProject }) => isOfProject && rejected.includes(name)),
    disabling(({ name }) => disabled.includes(name)),
  ];
};

/** Lists of servers that an organization allows or denies: by name, by command, or by address. */
const listedInClaude: RestrictionReader = (root) => {
  const [allowed, denied] = ['allowedMcpServers', 'deniedMcpServers'].map((key) => {
    const value = ownProperty(root, key);
    if (value !== undefined && !Array.isArray(value)) throw new NotAList(key);
    return value as readonly unknown[] | undefined;
  });
  const isListed = (list: readonly unknown[], { name, entry }: RestrictedServer): boolean => {
    const url = ownProperty(entry, 'url');
    const command = [ownProperty(entry, 'command'), ownProperty(entry, 'args') ?? []].flat();
    return list.some((one) => {
      const { serverName, serverCommand, serverUrl } = ownProperties(one);
      if (serverName === name) return true;
      if (typeof serverUrl === 'string' && typeof url === 'string')
        return matchesGlob(serverUrl, url);
      return Array.isArray(serverCommand) && serverCommand.join('\0') === command.join('\0');
    });
  };
  return [
    disabling((server) => denied !== undefined && isListed(denied, server)),
    disabling((server) => allowed !== undefined && !isListed(allowed, server)),
  ];
};

/**
 * `permissions.deny`: `mcp__server`, `mcp__server__tool`. `permissions.ask` hides as well: nobody here promises that
 * each of these calls is asked about.
 */
const deniedInClaude: RestrictionReader = (root) => {
  const rules = ['deny', 'ask'].flatMap((key) => textsAt(root, 'permissions', key) ?? []);
  return [({ name }) => ({ without: rules.flatMap((rule) => toolsOf(rule, name)) })];
};

function toolsOf(rule: string, server: string): string[] {
  const [, prefix, rest = ''] = /^(mcp__)?([^(]*)/i.exec(rule.trim()) ?? [];
  const own = server.replace(/[^\w-]/g, '_').toLowerCase();
  const name = rest.trim().toLowerCase();
  if (/^\*+$/.test(name) || (prefix !== undefined && matchesGlob(name, own))) return ['*'];
  // The name of a server may hold `__` too.
  return [...name.matchAll(/__/g)].flatMap(({ index }) =>
    matchesGlob(name.slice(0, index), own) ? [rest.trim().slice(index + 2)] : [],
  );
}

/** `mcp.allowed` and `mcp.excluded`, and their older names. An empty list of allowed servers allows all. */
const listedInGemini: RestrictionReader = (root) => {
  const excluded = [
    ...(textsAt(root, 'mcp', 'excluded') ?? []),
    ...(textsAt(root, 'excludeMCPServers') ?? []),
  ].map(sameInGemini);
  const allowed = [
    ...(textsAt(root, 'mcp', 'allowed') ?? []),
    ...(textsAt(root, 'allowMCPServers') ?? []),
  ].map(sameInGemini);
  return [
    disabling(({ name }) => {
      const same = sameInGemini(name);
      return excluded.includes(same) || (allowed.length > 0 && !allowed.includes(same));
    }),
  ];
};

const toolsInGemini: RestrictionReader = (root) => {
  const names = [
    ...(textsAt(root, 'tools', 'exclude') ?? []),
    ...(textsAt(root, 'excludeTools') ?? []),
  ];
  return [({ name }) => ({ without: names.flatMap((tool) => bareNames(tool, name)) })];
};

/** The names that a tool in a list may have at its server: a list may say `mcp__server__tool` or `server__tool`. */
export function bareNames(listed: string, server: string): string[] {
  const tool = listed.replace(/\(.*$/s, '');
  const starts = [`mcp__${server}__`, `mcp_${server}_`, `${server}__`];
  const start = starts.find((one) => tool.toLowerCase().startsWith(one.toLowerCase()));
  return start === undefined ? [listed] : [listed, tool.slice(start.length)];
}

/** `admin.mcp.enabled`: an organization switches all servers off. */
const offInGemini: RestrictionReader = (root) => {
  const enabled = ['admin', 'mcp', 'enabled'].reduce<unknown>(ownProperty, root);
  return [disabling(() => enabled !== undefined && enabled !== null && enabled !== true)];
};

/** A key beside the servers that nobody here knows, and that may restrict them. */
const unknownBeside: RestrictionReader = (root) =>
  Object.entries(ownProperties(root))
    .filter(([key, value]) => mayRestrictServers(key, value as JsonValue))
    .map(([key]) => () => ({
      refusal: `${JSON.stringify(key.slice(0, 60))} of its file may restrict it in a way that Toolfold cannot keep`,
    }));

/** A key beside the servers that nobody here reads, with one inside that may restrict them. */
const unknownInside: RestrictionReader = (root) =>
  Object.entries(ownProperties(root))
    .filter(([key]) => ![...HOLDERS, ...READ_BESIDE, 'agent', 'sandbox'].includes(key))
    .map(
      ([key, value]) =>
        ({ name }) =>
          restrictsServer([key], value as JsonValue, name)
            ? {
                refusal: `${JSON.stringify(key.slice(0, 60))} of its file may restrict it in a way that Toolfold cannot keep`,
              }
            : {},
    );

/** Clients whose file holds servers and little else. The files of the others hold all of their settings. */
const OF_SERVERS = ['mcp', 'toolfold', 'claude-desktop', 'cursor', 'vs-code', 'windsurf', 'cline'];

/**
 * A line for each key beside the servers that looks like a restriction and that nothing reads: misspelt, of an unknown
 * client, or in the wrong place. What `unknownBeside` refuses has no line.
 */
export function unreadBeside(
  { id, file, scope }: Pick<ClientPlace, 'id' | 'file' | 'scope'>,
  root: JsonValue,
  servers: readonly string[],
): string[] {
  if (!OF_SERVERS.includes(id) && !(id === 'claude-code' && scope === 'project')) return [];
  const keys = Object.entries(ownProperties(root)).flatMap(([key, value]) =>
    isRecord(value) && HOLDERS.includes(key)
      ? Object.entries(value).map(([inner, one]) => [`${key}.${inner}`, one] as const)
      : [[key, value] as const],
  );
  const unread = keys.filter(
    ([key, value]) =>
      mayRestrict(key.slice(key.indexOf('.') + 1), value as JsonValue) &&
      !READ_BESIDE.includes(key) &&
      !(key === 'sandbox' && OF_SERVERS.includes(id)) &&
      (key.includes('.') || !mayRestrictServers(key, value as JsonValue)),
  );
  const nameless = ['deny', 'ask'].flatMap((key) => {
    const rules = ownProperty(ownProperty(root, 'permissions'), key);
    const texts = Array.isArray(rules) ? rules.filter((rule) => typeof rule === 'string') : [];
    return texts
      .filter((rule) => !servers.some((server) => toolsOf(rule, server).length > 0))
      .map((rule) => `permissions.${key}: ${rule}`);
  });
  return [
    ...unread.map(
      ([key]) =>
        `${quote(key)} in ${file} has no effect. Settings of Toolfold, such as "exposure" and "approvals", stand under "toolfold".`,
    ),
    ...nameless.map(
      (rule) =>
        `${quote(rule)} in ${file} has no effect: it names no tool of these servers. Write mcp__SERVER__TOOL.`,
    ),
  ];
}

/** Objects beside the servers in which clients keep restrictions. */
const HOLDERS = ['permissions', 'tools', 'mcp', 'user', 'admin'];

/** Keys whose restriction is kept, or that grant what Toolfold does not grant. */
const READ_BESIDE = [
  ...['mcpServers', 'servers', 'inputs', 'toolfold', 'context_servers', 'permission'],
  ...['permissions.deny', 'permissions.ask', 'permissions.allow', 'tools.exclude', 'tools.allowed'],
  ...['mcp.allowed', 'mcp.excluded', 'admin.mcp', 'user.never_allow', 'user.always_allow'],
  ...['user.ask_before', 'never_allow', 'allowedTools', 'autoApprove', 'alwaysAllow'],
  ...['disabledMcpjsonServers', 'disabledMcpServers', 'allowedMcpServers', 'deniedMcpServers'],
  ...['enabledMcpjsonServers', 'enabledMcpServers', 'enableAllProjectMcpServers'],
  ...['excludeTools', 'excludeMCPServers', 'allowMCPServers'],
];

/** What `gemini mcp disable` has written: by name, `{ "enabled": false }`. */
export function disabledByGemini(root: JsonValue): Restriction[] {
  const states = Object.entries(ownProperties(root));
  const off = states.filter(([, state]) => ownProperty(state, 'enabled') === false);
  const names = off.map(([name]) => sameInGemini(name));
  return [disabling(({ name }) => names.includes(sameInGemini(name)))];
}

/** The form in which Gemini CLI compares names of servers: it ignores case. */
function sameInGemini(name: string): string {
  return name.toLowerCase().trim();
}

/** `tools` and `permission`, such as `"github_*": false`. What one agent may not use, no agent here may. */
const deniedInOpencode: RestrictionReader = (root) => {
  const agents = ['agent', 'mode'].flatMap((key) =>
    Object.values(ownProperties(ownProperty(root, key))),
  );
  const all = [root, ...agents];
  const tools = all.flatMap((one) => Object.entries(ownProperties(ownProperty(one, 'tools'))));
  const rules = all.flatMap((one): (readonly [string, unknown])[] => {
    const permission = ownProperty(one, 'permission');
    return isRecord(permission) ? Object.entries(permission) : [['*', permission] as const];
  });
  const denied = [
    ...tools.filter(([, isOn]) => isOn === false),
    ...rules.filter(([, rule]) => rule === 'deny' || ownProperty(rule, '*') === 'deny'),
  ].map(([glob]) => glob);
  return [
    ({ name }) => ({
      without: denied.flatMap((glob) => {
        if (glob === '*') return ['*'];
        if (!glob.startsWith(name)) return [];
        const rest = glob.slice(name.length);
        return rest === '*' ? ['*'] : rest.startsWith('_') ? [rest.slice(1)] : [];
      }),
    }),
  ];
};

/** A sandbox for all servers that do not turn it off. */
const sandboxInCode: RestrictionReader = (root) => {
  const sandbox = ownProperty(root, 'sandbox');
  const isOn = sandbox === true || (isRecord(sandbox) && Object.keys(sandbox).length > 0);
  return [
    ({ entry }) =>
      isOn && ownProperty(entry, 'sandboxEnabled') !== false
        ? { refusal: 'the "sandbox" of its file restricts it in a way that Toolfold cannot keep' }
        : {},
  ];
};

/** `agent.tool_permissions.tools`: by `mcp:server:tool`, `{ "default": "deny" }`. */
const deniedInZed: RestrictionReader = (root) => {
  const tools = ['agent', 'tool_permissions', 'tools'].reduce<unknown>(ownProperty, root);
  const denied = Object.entries(ownProperties(tools)).filter(
    ([, rule]) => ownProperty(rule, 'default') === 'deny',
  );
  return [
    ({ name }) => ({
      without: denied.flatMap(([tool]) =>
        tool.startsWith(`mcp:${name}:`) ? [tool.slice(`mcp:${name}:`.length)] : [],
      ),
    }),
  ];
};

/** `never_allow` of Goose, by `extension__tool`. */
const deniedInGoose: RestrictionReader = (root) => {
  const never = [
    ...(textsAt(root, 'user', 'never_allow') ?? []),
    ...(textsAt(root, 'never_allow') ?? []),
  ];
  return [({ name }) => ({ without: never.flatMap((tool) => bareNames(tool, name)) })];
};

/**
 * All of them are read in the files of every client: their keys differ, and what a user has written down as a
 * restriction, in whatever client's words, is one.
 */
const READERS: readonly RestrictionReader[] = [
  ...[rejectedInClaude, listedInClaude, deniedInClaude],
  ...[listedInGemini, toolsInGemini, offInGemini],
  ...[deniedInOpencode, deniedInZed, deniedInGoose],
];
