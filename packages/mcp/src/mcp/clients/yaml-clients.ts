// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  isRecord,
  type JsonObject,
  type JsonValue,
  mapTexts,
  ownProperty,
} from '@toolfold/core/internal/tools/values';

/** Kinds of extensions of Goose that are parts of it, and no servers. */
const OF_GOOSE: readonly unknown[] = ['builtin', 'platform', 'frontend'];

/** The value of a YAML text as JSON. Throws `invalid-config` with the position of a mistake, and never shows a line. */
export async function yamlValue(file: string, text: string): Promise<JsonValue> {
  const { parse, YAMLError } = await import('yaml');
  try {
    // Aliases can make a small file very large.
    return JSON.parse(JSON.stringify(parse(text, { maxAliasCount: 100, logLevel: 'error' }) ?? {}));
  } catch (error) {
    const [at] = (error instanceof YAMLError && error.linePos) || [];
    const place = at ? `:${at.line}:${at.col}` : '';
    throw new ToolfoldError('invalid-config', `${file}${place}: It is not YAML.`, 'Correct it.');
  }
}

/** The servers among the extensions of Goose. */
export function gooseServers(root: JsonValue): JsonValue {
  const extensions = ownProperty(root, 'extensions') ?? {};
  if (!isRecord(extensions)) return extensions as JsonValue;
  const servers = Object.entries(extensions).filter(
    ([, entry]) => !OF_GOOSE.includes(ownProperty(entry, 'type')),
  );
  return Object.fromEntries(servers) as JsonObject;
}

/** An entry of Goose with the keys that Toolfold reads. Others stay. */
export function gooseEntry({
  cmd,
  envs,
  env_keys,
  uri,
  available_tools,
  ...entry
}: JsonObject): JsonObject {
  const isLimited = !Array.isArray(available_tools) || available_tools.length > 0;
  return {
    ...entry,
    ...set({ command: cmd, env: envs, url: uri }),
    ...(Array.isArray(env_keys) && env_keys.length === 0 ? {} : set({ passEnv: env_keys })),
    // In Goose, an empty list allows all.
    ...(isLimited ? set({ enabledTools: available_tools }) : {}),
  };
}

/** The servers of Continue by their names. */
export function continueServers(root: JsonValue): JsonValue {
  const servers = ownProperty(root, 'mcpServers') ?? [];
  if (!Array.isArray(servers)) return servers as JsonValue;
  return Object.fromEntries(
    servers.map((entry, at) => [String(ownProperty(entry, 'name') ?? `server-${at + 1}`), entry]),
  );
}

/** An entry of Continue with the keys and variables that Toolfold reads. Others stay. */
export function continueEntry(given: JsonObject): JsonObject {
  const { requestOptions, apiKey, connectionTimeout, ...entry } = mapTexts(given, (text) =>
    text.replace(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, '${$1}'),
  ) as JsonObject;
  const { headers, ...others } = isRecord(requestOptions) ? (requestOptions as JsonObject) : {};
  const isKeyed =
    typeof apiKey === 'string' && entry.headers === undefined && headers === undefined;
  return {
    ...entry,
    ...set({ headers }),
    ...(isKeyed ? { headers: { Authorization: `Bearer ${apiKey}` } } : {}),
    ...(typeof connectionTimeout === 'number' ? { startSeconds: connectionTimeout / 1000 } : {}),
    ...(Object.keys(others).length > 0 ? { requestOptions: others } : {}),
  };
}

/** The members that are set. */
function set(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(
      (member): member is [string, JsonValue] => member[1] !== undefined && member[1] !== null,
    ),
  );
}
