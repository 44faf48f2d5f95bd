import { resolve } from 'node:path';
import * as querystring from 'node:querystring';
import * as z from '../../config/schemas/index.ts';
import { isRecord, type JsonValue, ownProperty, pick, truncate } from '../../tools/values/index.ts';
import { entrySecrets, type Named } from '../secrets/index.ts';
import type { Lifecycle, ServerEntry } from './config.ts';
import {
  EntryProblem,
  flag,
  mapOf,
  notBlank,
  readObject,
  text,
  texts,
  wrong,
} from './entry-schema.ts';
import { passedVariables } from './inherited-environment.ts';
import { readOAuth, secretsOf } from './oauth-entry.ts';
import { fillIn, type VariableScope } from './variables.ts';

const SECONDS = 'a number of seconds above 0';
const WHOLE = 'a whole number above 0';
const time = z.pipe(
  z.number(SECONDS).check(z.gt(0, SECONDS)),
  z.transform((seconds: number) => 1000 * seconds),
);

/** What all entries have. Keys of other clients are ignored. */
const common = z.partial(
  z.object(
    {
      // The wrong value may have been meant to disable the server.
      disabled: flag,
      ...{ keepAlive: flag, perSession: flag },
      ...{ idleSeconds: time, startSeconds: time, callSeconds: time },
      protocol: z.enum(['auto', 'legacy', '2026-07-28'], 'not one of auto, legacy and 2026-07-28'),
      maxCalls: z.int(WHOLE).check(z.minimum(1, WHOLE)),
      toolSeconds: mapOf(time, 'an object of seconds by tool'),
      ...{ type: notBlank, command: notBlank },
    },
    'an object',
  ),
);

const map = mapOf(text, 'an object of strings');
const program = z.partial(z.object({ env: map, cwd: notBlank, args: texts, passEnv: texts }));
const remote = z.partial(
  z.object({ headers: map, oauth: z.custom<object>(isRecord, 'an object') }),
);

/**
 * Reads one server's entry and fills in its variables. Never throws: a mistake makes this server
 * unusable. Ignores keys of other clients.
 */
export function readServerEntry(entry: JsonValue, scope: VariableScope): ServerEntry {
  const filledIn: Named[] = [];
  const fill = (text: string): string =>
    fillIn(text, scope, (name, value) => filledIn.push([name, value]));
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
  const given = readObject(common, entry);
  const lifecycle = lifecycleOf(given);
  const { type } = given;
  if (given.command !== undefined && type !== 'http' && type !== 'sse') {
    const own = readObject(program, entry);
    const { passEnv = [] } = own;
    const env = (own.env ?? []).map(([name, value]) => [name, fill(value)] as const);
    const cwd = own.cwd && startable('"cwd"', fill(own.cwd));
    const args = (own.args ?? []).map((arg, at) => startable(`"args[${at}]"`, fill(arg)));
    const command = startable('"command"', fill(given.command));
    if (command.trim() === '') throw wrong('"command"', 'a program to start', command);
    for (const [name, value] of env) checkVariable(name, value);
    const values = [...env, ...passedVariables(passEnv, scope.env), ...filledIn];
    return {
      ...{ kind: 'stdio', command, args, env: new Map(env) },
      ...(passEnv.length > 0 && { passEnv }),
      ...(cwd !== undefined && { cwd: resolve(scope.workspaceFolder, cwd) }),
      secrets: entrySecrets({ values, args: [command, ...args] }),
      ...lifecycle,
    };
  }
  const url = fill(addressIn(entry));
  const own = readObject(remote, entry);
  const headers = new Map((own.headers ?? []).map(([name, value]) => [name, fill(value)]));
  checkAddress(url);
  for (const [name, value] of headers) checkHeader(name, value);
  const oauth = own.oauth && readOAuth(own.oauth, fill);
  const target = withoutUser(url, headers);
  const values = [...filledIn, ...secretsOf(oauth)];
  return {
    ...{ kind: type === 'sse' ? 'sse' : 'http', ...target, ...lifecycle },
    ...pick({ oauth }, 'oauth'),
    secrets: entrySecrets({ values, headers: target.headers, url }),
  };
}

/** The address of a server. `serverUrl` is the name in Windsurf, `httpUrl` the name in Gemini CLI. */
function addressIn(entry: JsonValue): string {
  const key = ['url', 'serverUrl', 'httpUrl'].find((one) => ownProperty(entry, one) !== undefined);
  if (key !== undefined) return readObject(z.object({ [key]: notBlank }), entry)[key] ?? '';
  throw new EntryProblem(
    'its entry has neither a command nor a url',
    'Give it a "command" (a program to start) or a "url".',
  );
}

function lifecycleOf(given: z.output<typeof common>): { readonly lifecycle?: Lifecycle } {
  const { idleSeconds: idleTime, startSeconds: startTimeout, callSeconds: callTimeout } = given;
  const toolTimeouts = given.toolSeconds?.length === 0 ? undefined : given.toolSeconds;
  const all = { ...given, idleTime, startTimeout, callTimeout, toolTimeouts };
  const times = ['idleTime', 'startTimeout', 'callTimeout', 'toolTimeouts'] as const;
  const set = pick(all, 'keepAlive', 'perSession', 'protocol', 'maxCalls', ...times);
  return Object.keys(set).length === 0 ? {} : { lifecycle: set };
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
