import { resolve } from 'node:path';
import { isRecord, type JsonValue, ownProperty, truncate } from '../../tools/values/index.ts';
import { entrySecrets, type Named } from '../secrets/index.ts';
import type { ServerEntry } from './config.ts';
import { EntryProblem, wrong } from './entry-problem.ts';
import { passedVariables } from './inherited-environment.ts';
import type { Lifecycle, Protocol } from './lifecycle.ts';
import { readOAuth, secretsOf } from './oauth-entry.ts';
import { fillIn, type VariableScope } from './variables.ts';

/**
 * Reads one server's entry and fills in its variables. Never throws: a mistake makes this server
 * unusable. Ignores keys of other clients.
 */
export function readServerEntry(entry: JsonValue, scope: VariableScope): ServerEntry {
  const filledIn: Named[] = [];
  const fill = (text: string): string => {
    const filled = fillIn(text, scope, (name, value) => filledIn.push([name, value]));
    if (typeof filled === 'string') return filled;
    throw new EntryProblem(filled.reason, filled.remedy);
  };
  try {
    return readFilled(entry, fill, filledIn, scope);
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    return { kind: 'unusable', reason: error.message, remedy: error.remedy };
  }
}

function readFilled(
  entry: JsonValue,
  fill: (text: string) => string,
  filledIn: readonly Named[],
  scope: VariableScope,
): ServerEntry {
  if (!isRecord(entry)) throw wrong('its entry', 'an object', entry);
  // The wrong value may have been meant to disable the server.
  const disabled = ownProperty(entry, 'disabled') ?? false;
  if (typeof disabled !== 'boolean') throw wrong('"disabled"', 'true or false', disabled);
  const lifecycle = readLifecycle(entry);
  const type = optionalText(entry, 'type');
  const command = optionalText(entry, 'command');
  // `serverUrl` is the name in Windsurf, `httpUrl` the name in Gemini CLI.
  const urlKey = ['url', 'serverUrl', 'httpUrl'].find(
    (key) => ownProperty(entry, key) !== undefined,
  );
  if (command !== undefined && type !== 'http' && type !== 'sse') {
    const env = texts(entry, 'env', fill);
    const cwd = optionalText(entry, 'cwd');
    const args = list(entry, 'args').map((arg, index) => startable(`"args[${index}]"`, fill(arg)));
    const program = startable('"command"', fill(command));
    if (program.trim() === '') throw wrong('"command"', 'a program to start', program);
    for (const [name, value] of env) checkVariable(name, value);
    const passEnv = list(entry, 'passEnv');
    const passed = passedVariables(passEnv, scope.env);
    return {
      kind: 'stdio',
      command: program,
      args,
      env,
      ...(passEnv.length === 0 ? {} : { passEnv }),
      ...(cwd === undefined
        ? {}
        : { cwd: resolve(scope.workspaceFolder, startable('"cwd"', fill(cwd))) }),
      secrets: entrySecrets({
        values: [...env, ...passed, ...filledIn],
        args: [program, ...args],
      }),
      ...lifecycle,
    };
  }
  if (urlKey === undefined) {
    throw new EntryProblem(
      'its entry has neither a command nor a url',
      'Give it a "command" (a program to start) or a "url".',
    );
  }
  const url = fill(optionalText(entry, urlKey) ?? '');
  const headers = texts(entry, 'headers', fill);
  checkAddress(url);
  for (const [name, value] of headers) checkHeader(name, value);
  const oauth = readOAuth(entry, fill);
  return {
    kind: type === 'sse' ? 'sse' : 'http',
    url,
    headers,
    ...lifecycle,
    ...(oauth === undefined ? {} : { oauth }),
    secrets: entrySecrets({ values: [...filledIn, ...secretsOf(oauth)], headers, url }),
  };
}

/** The keys of an entry that say how the server is started, used and stopped. */
function readLifecycle(entry: Record<string, unknown>): { readonly lifecycle?: Lifecycle } {
  const keepAlive = flag(entry, 'keepAlive');
  const perSession = flag(entry, 'perSession');
  const idleTime = milliseconds(entry, 'idleSeconds');
  const startTimeout = milliseconds(entry, 'startSeconds');
  const callTimeout = milliseconds(entry, 'callSeconds');
  const protocol = ownProperty(entry, 'protocol');
  if (protocol !== undefined && !isProtocol(protocol)) {
    throw new EntryProblem(
      '"protocol" is not one of auto, legacy and 2026-07-28',
      'Correct "protocol".',
    );
  }
  const maxCalls = positive(ownProperty(entry, 'maxCalls'), '"maxCalls"', 'a whole number above 0');
  if (maxCalls !== undefined && !Number.isInteger(maxCalls)) {
    throw wrong('"maxCalls"', 'a whole number above 0', maxCalls);
  }
  const byTool = ownProperty(entry, 'toolSeconds');
  if (byTool !== undefined && !isRecord(byTool)) {
    throw wrong('"toolSeconds"', 'an object of seconds by tool', byTool);
  }
  const toolTimeouts = Object.entries(byTool ?? {}).map(
    ([glob, value]) =>
      [glob, 1000 * (seconds(value, `"toolSeconds.${truncate(glob, 60)}"`) ?? 0)] as const,
  );
  const lifecycle: Lifecycle = {
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(perSession === undefined ? {} : { perSession }),
    ...(idleTime === undefined ? {} : { idleTime }),
    ...(startTimeout === undefined ? {} : { startTimeout }),
    ...(callTimeout === undefined ? {} : { callTimeout }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(maxCalls === undefined ? {} : { maxCalls }),
    ...(toolTimeouts.length === 0 ? {} : { toolTimeouts }),
  };
  return Object.keys(lifecycle).length === 0 ? {} : { lifecycle };
}

function isProtocol(value: unknown): value is Protocol {
  return value === 'auto' || value === 'legacy' || value === '2026-07-28';
}

function flag(entry: Record<string, unknown>, key: string): boolean | undefined {
  const value = ownProperty(entry, key);
  if (value !== undefined && typeof value !== 'boolean')
    throw wrong(`"${key}"`, 'true or false', value);
  return value;
}

function milliseconds(entry: Record<string, unknown>, key: string): number | undefined {
  const value = seconds(ownProperty(entry, key), `"${key}"`);
  return value === undefined ? undefined : 1000 * value;
}

function seconds(value: unknown, what: string): number | undefined {
  return positive(value, what, 'a number of seconds above 0');
}

function positive(value: unknown, what: string, expected: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    throw wrong(what, expected, value);
  }
  return value;
}

function checkAddress(url: string): void {
  const parsed = URL.parse(url);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return;
  throw new EntryProblem('its url is not an http or https address', 'Correct "url".');
}

/** Checked here, because the error of `fetch` would show the value. */
function checkHeader(name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    throw new EntryProblem(
      `the name or value of its header ${JSON.stringify(truncate(name, 60))} has characters that HTTP does not allow`,
      `Correct "headers".`,
    );
  }
}

/** Checked here, because the error of `spawn` would show the value. */
function startable(what: string, text: string): string {
  if (!text.includes('\0')) return text;
  throw new EntryProblem(`${what} has a NUL character`, `Correct ${what}.`);
}

function checkVariable(name: string, value: string): void {
  if (name !== '' && !/[=\0]/.test(name)) startable(`"env.${truncate(name, 60)}"`, value);
  else throw new EntryProblem('"env" has a name that no variable can have', 'Correct "env".');
}

function optionalText(entry: Record<string, unknown>, key: string): string | undefined {
  const value = ownProperty(entry, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '') throw wrong(`"${key}"`, 'a string', value);
  return value;
}

function list(entry: Record<string, unknown>, key: string): string[] {
  const value = ownProperty(entry, key) ?? [];
  if (!Array.isArray(value)) throw wrong(`"${key}"`, 'a list of strings', value);
  return value.map((item, index) => {
    if (typeof item !== 'string') throw wrong(`"${key}[${index}]"`, 'a string', item);
    return item;
  });
}

function texts(
  entry: Record<string, unknown>,
  key: string,
  fill: (text: string) => string,
): Map<string, string> {
  const value = ownProperty(entry, key) ?? {};
  if (!isRecord(value)) throw wrong(`"${key}"`, 'an object of strings', value);
  return new Map(
    Object.entries(value).map(([name, item]) => {
      if (typeof item !== 'string') throw wrong(`"${key}.${name}"`, 'a string', item);
      return [name, fill(item)];
    }),
  );
}
