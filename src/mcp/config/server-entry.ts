import { resolve } from 'node:path';
import * as querystring from 'node:querystring';
import { isRecord, type JsonValue, ownProperty, truncate } from '../../tools/values/index.ts';
import { entrySecrets, type Named } from '../secrets/index.ts';
import type { Lifecycle, Protocol, ServerEntry } from './config.ts';
import { EntryProblem, type Expected, STRING, textsIn, valueIn, wrong } from './entry-problem.ts';
import { passedVariables } from './inherited-environment.ts';
import { readOAuth, secretsOf } from './oauth-entry.ts';
import { fillIn, type VariableScope } from './variables.ts';

const PROTOCOLS: readonly Protocol[] = ['auto', 'legacy', '2026-07-28'];

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
  valueIn(entry, 'disabled', FLAG);
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
    const args = textsIn(entry, 'args').map((arg, index) =>
      startable(`"args[${index}]"`, fill(arg)),
    );
    const program = startable('"command"', fill(command));
    if (program.trim() === '') throw wrong('"command"', 'a program to start', program);
    for (const [name, value] of env) checkVariable(name, value);
    const passEnv = textsIn(entry, 'passEnv');
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
  const target = withoutUser(url, headers);
  return {
    kind: type === 'sse' ? 'sse' : 'http',
    ...target,
    ...lifecycle,
    ...(oauth === undefined ? {} : { oauth }),
    secrets: entrySecrets({
      values: [...filledIn, ...secretsOf(oauth)],
      headers: target.headers,
      url,
    }),
  };
}

const FLAG: Expected<boolean> = ['true or false', (value) => typeof value === 'boolean'];
const SECONDS: Expected<number> = ['a number of seconds above 0', isPositive];
const WHOLE: Expected<number> = [
  'a whole number above 0',
  (value): value is number => isPositive(value) && Number.isInteger(value),
];

/** The keys of an entry that say how the server is started, used and stopped. */
function readLifecycle(entry: Record<string, unknown>): { readonly lifecycle?: Lifecycle } {
  const time = (key: string): number | undefined => {
    const seconds = valueIn(entry, key, SECONDS);
    return seconds && 1000 * seconds;
  };
  const lifecycle: Lifecycle = {
    keepAlive: valueIn(entry, 'keepAlive', FLAG),
    perSession: valueIn(entry, 'perSession', FLAG),
    idleTime: time('idleSeconds'),
    startTimeout: time('startSeconds'),
    callTimeout: time('callSeconds'),
    protocol: readProtocol(ownProperty(entry, 'protocol')),
    maxCalls: valueIn(entry, 'maxCalls', WHOLE),
    toolTimeouts: readToolTimeouts(entry),
  };
  const set = Object.entries(lifecycle).filter(([, value]) => value !== undefined);
  return set.length === 0 ? {} : { lifecycle: Object.fromEntries(set) };
}

function readProtocol(value: unknown): Protocol | undefined {
  const known = PROTOCOLS.find((protocol) => protocol === value);
  if (known !== undefined || value === undefined) return known;
  throw new EntryProblem(
    '"protocol" is not one of auto, legacy and 2026-07-28',
    'Correct "protocol".',
  );
}

function readToolTimeouts(entry: Record<string, unknown>): Lifecycle['toolTimeouts'] {
  const byTool = valueIn(entry, 'toolSeconds', ['an object of seconds by tool', isRecord]) ?? {};
  const times = Object.keys(byTool).map((glob) => {
    const seconds = valueIn(byTool, glob, SECONDS, `toolSeconds.${truncate(glob, 60)}`);
    return [glob, 1000 * (seconds ?? 0)] as const;
  });
  return times.length === 0 ? undefined : times;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function checkAddress(url: string): void {
  const parsed = URL.parse(url);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return;
  throw new EntryProblem('its url is not an http or https address', 'Correct "url".');
}

/** The address without its user and password, which `fetch` refuses. They become a header, as in browsers. */
function withoutUser(
  address: string,
  headers: ReadonlyMap<string, string>,
): { readonly url: string; readonly headers: ReadonlyMap<string, string> } {
  const url = new URL(address);
  const user = [url.username, url.password].map(querystring.unescape).join(':');
  if (user === ':') return { url: address, headers };
  [url.username, url.password] = ['', ''];
  const isGiven = [...headers.keys()].some((name) => name.toLowerCase() === 'authorization');
  const basic = ['Authorization', `Basic ${Buffer.from(user).toString('base64')}`] as const;
  return { url: url.href, headers: isGiven ? headers : new Map([...headers, basic]) };
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
  const value = valueIn(entry, key, STRING);
  if (value?.trim() === '') throw wrong(`"${key}"`, 'a string', value);
  return value;
}

function texts(
  entry: Record<string, unknown>,
  key: string,
  fill: (text: string) => string,
): Map<string, string> {
  const value = valueIn(entry, key, ['an object of strings', isRecord]) ?? {};
  return new Map(
    Object.entries(value).map(([name, item]) => {
      if (typeof item !== 'string') throw wrong(`"${key}.${name}"`, 'a string', item);
      return [name, fill(item)];
    }),
  );
}
