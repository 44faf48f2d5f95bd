import { isRecord, type JsonObject, type JsonValue } from '@toolfold/core/internal/values';

/**
 * What becomes of a key of an entry. `read`: Toolfold reads it, under its own name for it. `only`, `without`: a
 * list of the tools that are offered, or are not. `switch`: whether the server is used. `silent`: nothing depends on
 * it here. `comfort`: it has no effect, and is named. `restricts`: what it restricts cannot be kept, so the server is
 * not started.
 */
type KeyRule =
  | { readonly does: 'read'; readonly as: string }
  | { readonly does: 'only' | 'without' | 'switch' | 'silent' | 'comfort' }
  | { readonly does: 'restricts'; readonly why: string };

type KeyRules = Readonly<Record<string, KeyRule>>;

/** The same rule for each of these keys. */
function each(keys: string, rule: KeyRule): KeyRules {
  return Object.fromEntries(keys.split(' ').map((key) => [key, rule]));
}

function under(names: Readonly<Record<string, string>>): KeyRules {
  return Object.fromEntries(
    Object.entries(names).map(([key, as]) => [key, { does: 'read', as } satisfies KeyRule]),
  );
}

function same(keys: string): KeyRules {
  return under(Object.fromEntries(keys.split(' ').map((key) => [key, key])));
}

function restricts(keys: string, why: string): KeyRules {
  return each(keys, { does: 'restricts', why });
}

const CANNOT = 'restricts it in a way that Toolfold cannot keep';

/** Keys with the same meaning in every client that has them. */
const COMMON: KeyRules = {
  ...same('type command args env envFile cwd url headers oauth passEnv keepAlive perSession'),
  ...same('idleSeconds startSeconds callSeconds toolSeconds maxCalls protocol'),
  ...under({ transport: 'type', transportType: 'type', serverUrl: 'url', httpUrl: 'url' }),
  ...each('disabled enabled', { does: 'switch' }),
  ...each('includeTools enabledTools enabled_tools allowedTools tools', { does: 'only' }),
  ...each('excludeTools disabledTools disabled_tools', { does: 'without' }),
  ...each('description source gallery version dev name displayName', { does: 'silent' }),
  ...each('trust autoApprove alwaysAllow timeout auth required alwaysLoad', { does: 'comfort' }),
  ...restricts('headersHelper', 'is a program that makes headers, which Toolfold does not run'),
};

/** What a key means in one client, where that differs, and the keys that only this client has. */
const OWN: Readonly<Record<string, KeyRules>> = {
  'gemini-cli': {
    ...each('authProviderType targetAudience targetServiceAccount', { does: 'comfort' }),
  },
  cline: each('remoteConfigured', { does: 'silent' }),
  codex: {
    // Toolfold asks before the calls of a server unless the user trusts it.
    ...each('default_tools_approval_mode approval_mode tools', { does: 'silent' }),
    ...each('supports_parallel_tool_calls scopes oauth_resource', { does: 'comfort' }),
    ...restricts(
      'environment_id experimental_environment',
      'says where it runs, which Toolfold cannot keep',
    ),
  },
  zed: each('settings remote', { does: 'silent' }),
  goose: {
    ...each('bundled display_name', { does: 'silent' }),
    ...restricts('code dependencies', 'is a program that only Goose can start'),
  },
  continue: each('faviconUrl sourceFile serverName', { does: 'silent' }),
};

/** Keys that switch a restriction on. */
const SANDBOX = /^(?:sandbox|read_?only)/i;

/** The name of a key that nobody here knows, and that may restrict the server. */
const MAY_RESTRICT =
  /allow|approv|audit|block|confin|confirm|consent|contain|deni|deny|disab|enabl|exclu|expos|filter|forbid|guard|hid|includ|isolat|jail|limit|mask|only|permi|polic|prevent|prohibit|protect|read_?only|restrict|root|sandbox|scope|secur|trust|unsafe|whitelist/i;

/** The name of a key that may switch the server or its tools off, unless its value is empty or false. */
const MEANS_OFF =
  /^(?:is_?)?off(?:$|[A-Z_-])|(?:offline|skip|ignor|inactiv|paus|suspend|stop|omit|mute|reject|refus|revok|archiv|quarantin|hold)/i;

/** The value of a key that may switch the server off. */
const NO =
  /^(?:false|no|none|never|off|0|disabled?|inactive|deny|denied|blocked|paused|stopped|suspended|rejected|revoked|archived|skip(?:ped)?|ignored?|offline)$/i;

/** Keys of appearance, logs and connections, of which no value switches a server off. */
const COMFORT =
  /^_?(?:debug|verbose|quiet|trace|log(?:s|ging|_?level)?|telemetry|analytics|metrics|notif(?:y|ications?)|icon|logo|avatar|colou?r|theme|collapsed|expanded|pinned|favou?rite|featured|starred|order|priority|position|weight|stream(?:ing)?|stateless|shell|tty|detached|cache|watch|hot_?reload|retr(?:y|ies)|reconnect|restart)$/i;

const MAY_BE_OFF = 'may mean that it is off, or restrict it in a way that Toolfold cannot keep';

/** Keys beside the servers that a reader of its client knows, or that grant what Toolfold does not grant. */
const KNOWN_BESIDE: readonly string[] = [
  ...['disabledMcpjsonServers', 'disabledMcpServers', 'allowedMcpServers', 'deniedMcpServers'],
  ...['enabledMcpjsonServers', 'enabledMcpServers', 'enableAllProjectMcpServers', 'allowedTools'],
  ...['excludeTools', 'excludeMCPServers', 'allowMCPServers'],
];

/**
 * What becomes of a key of this client. One that nobody reads is refused if its name, or that of a key inside, says that
 * it may restrict.
 */
export function ruleOf(client: string, key: string, value: JsonValue): KeyRule {
  const rule = ruleByName(client, key, value);
  const isRead = rule.does !== 'silent' && rule.does !== 'comfort';
  return !isRead && restrictsInside(client, value) ? { does: 'restricts', why: CANNOT } : rule;
}

/** Whether a key at any depth of a value restricts. What the keys of an entry do is not done for those inside another. */
function restrictsInside(client: string, value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some((item) => restrictsInside(client, item));
  if (!isRecord(value)) return false;
  return Object.entries(value as JsonObject).some(([key, inner]) => {
    const { does } = ruleOf(client, key, inner);
    if (does === 'switch') return inner !== (key === 'enabled');
    return does === 'restricts' || does === 'only' || (does === 'without' && !isOff(inner));
  });
}

/**
 * What becomes of a key by its name. One that nobody knows is named, or refused if its name says that it may
 * restrict: `false` may be what restricts (`allowWrites`), so its value does not count.
 */
function ruleByName(client: string, key: string, value: JsonValue): KeyRule {
  for (const rules of [OWN[client] ?? {}, COMMON]) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined) continue;
    return rule.does === 'restricts' && isOff(value) ? { does: 'silent' } : rule;
  }
  if (SANDBOX.test(key))
    return isOff(value) ? { does: 'silent' } : { does: 'restricts', why: CANNOT };
  if (MAY_RESTRICT.test(key) && value !== null) return { does: 'restricts', why: CANNOT };
  if (MEANS_OFF.test(key) && !isOff(value)) return { does: 'restricts', why: MAY_BE_OFF };
  if (isNo(value) && !MEANS_OFF.test(key) && !COMFORT.test(key))
    return { does: 'restricts', why: MAY_BE_OFF };
  return { does: 'comfort' };
}

/** Whether a key that nobody here knows, beside the servers of a file, may restrict them. */
export function mayRestrictServers(key: string, value: JsonValue): boolean {
  const isAbout = /mcp|server|tool/i.test(key) && !KNOWN_BESIDE.includes(key);
  return isAbout && mayRestrict(key, value);
}

/**
 * The paths of the keys inside an unknown key beside the servers that may restrict them: of tools or servers, or of the
 * server of this name.
 */
export function restrictsServer(path: readonly string[], value: JsonValue, name: string): boolean {
  const key = path.at(-1) ?? '';
  const isAbout = path.some((part) => part === name || /mcp|server|tool/i.test(part));
  const isOn = (key === 'enabled' && value === true) || (key === 'disabled' && value === false);
  const isSwitchedOff = key === 'enabled' && value === false;
  if (path.length > 1 && isAbout && !isOn && (mayRestrict(key, value) || isSwitchedOff))
    return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([inner, one]) => restrictsServer([...path, inner], one, name));
}

/** Whether a key that nobody here knows may restrict anything. */
export function mayRestrict(key: string, value: JsonValue): boolean {
  return (MAY_RESTRICT.test(key) || MEANS_OFF.test(key)) && !isOff(value);
}

/** Whether a value may mean that a server is off. */
function isNo(value: JsonValue): boolean {
  if (value === false || value === 0) return true;
  return typeof value === 'string' && NO.test(value.trim());
}

/** Whether a value restricts nothing: it is switched off, or it is empty. */
function isOff(value: JsonValue): boolean {
  if (value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
