// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  isRecord,
  type JsonObject,
  type JsonValue,
  ownProperty,
} from '@toolfold/core/internal/tools/values';

/** The value of a TOML text as JSON. Throws `invalid-config` with the position of a mistake, and never shows a line. */
export async function tomlValue(file: string, text: string): Promise<JsonValue> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    // Dates become texts.
    return JSON.parse(JSON.stringify(parse(text)));
  } catch (error) {
    const place = error instanceof TomlError ? `:${error.line}:${error.column}` : '';
    throw new ToolfoldError('invalid-config', `${file}${place}: It is not TOML.`, 'Correct it.');
  }
}

/** An entry of Codex with the keys that Toolfold reads. Others stay. */
export function codexEntry(entry: JsonObject): JsonObject {
  const {
    env_vars: passed,
    bearer_token_env_var: bearer,
    http_headers: fixed,
    env_http_headers: variable,
    enabled_tools: enabledTools,
    disabled_tools: disabledTools,
    startup_timeout_sec: start,
    startup_timeout_ms: startMs,
    tool_timeout_sec: callSeconds,
    ...rest
  } = entry;
  const variables = Object.entries(isRecord(variable) ? variable : {});
  const headers = {
    ...(isRecord(fixed) ? fixed : {}),
    ...Object.fromEntries(variables.map(([header, name]) => [header, `\${${name}}`])),
    ...(bearer === undefined ? {} : { Authorization: `Bearer \${${bearer}}` }),
  };
  const names = [passed ?? []].flat().map((one) => ownProperty(one, 'name') ?? one);
  const startSeconds = start ?? (typeof startMs === 'number' ? startMs / 1000 : undefined);
  const keys = {
    ...{ enabledTools, disabledTools, startSeconds, callSeconds },
    passEnv: names.length === 0 ? undefined : names,
    headers: Object.keys(headers).length === 0 ? undefined : headers,
  };
  const set = Object.entries(keys).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(set) } as JsonObject;
}
