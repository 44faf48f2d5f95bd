import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as querystring from 'node:querystring';
import { parseEnv } from 'node:util';
import * as z from '@toolfold/config/internal/schemas.ts';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  isRecord,
  type JsonValue,
  ownProperty,
  pick,
  truncate,
} from '@toolfold/core/internal/values';
import { ALL_TOOLS, type ToolLists } from '../clients/index.ts';
import { entrySecrets, type NamedValue } from '../entry-secrets.ts';
import { passedVariables } from '../processes/index.ts';
import type { Lifecycle, ServerEntry } from './config.ts';
import {
  EntryProblem,
  flag,
  mapOf,
  notBlank,
  readOAuth,
  readObject,
  secretsOf,
  text,
  texts,
  wrong,
} from './entry-schema.ts';
import { fillIn, type VariableScope } from './variables.ts';

const SECONDS = 'a number of seconds above 0';
const WHOLE = 'a whole number above 0';
/** Bytes of an `envFile`. */
const MAX_VARIABLES = 1024 * 1024;
const time = z.pipe(
  z.number(SECONDS).check(z.gt(0, SECONDS)),
  z.transform((seconds: number) => 1000 * seconds),
);

/** What all entries have. */
const common = z.partial(
  z.object(
    {
      // The wrong value may have been meant to disable the server.
      disabled: flag,
      ...{ keepAlive: flag, perSession: flag },
      ...{ idleSeconds: time, startSeconds: time, callSeconds: time, maxCallSeconds: time },
      protocol: z.enum(['auto', 'legacy', '2026-07-28'], 'not one of auto, legacy and 2026-07-28'),
      maxCalls: z.int(WHOLE).check(z.minimum(1, WHOLE)),
      toolSeconds: mapOf(time, 'an object of seconds by tool'),
      ...{ type: notBlank, command: notBlank },
    },
    'an object',
  ),
);

const map = mapOf(text, 'an object of strings');
const stdio = z.partial(
  z.object({ env: map, envFile: notBlank, cwd: notBlank, args: texts, passEnv: texts }),
);
const remote = z.partial(
  z.object({ headers: map, oauth: z.custom<object>(isRecord, 'an object') }),
);

/**
 * Reads one server's entry in Toolfold's own keys, and fills in its variables. Never throws: a mistake makes this
 * server unusable. `tools`: those that it offers.
 */
export function readServerEntry(
  entry: JsonValue,
  scope: VariableScope,
  tools: ToolLists = ALL_TOOLS,
): ServerEntry {
  const filledIn: NamedValue[] = [];
  const fill = (text: string): string =>
    fillIn(text, scope, (name, value) => filledIn.push([name, value]));
  try {
    const read = readFilled(entry, fill, filledIn, scope);
    const isLimited = tools.only !== undefined || tools.without.length > 0;
    return isLimited && read.kind !== 'unusable' ? { ...read, tools } : read;
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    return { kind: 'unusable', reason: error.message, remedy: error.remedy };
  }
}

function readFilled(
  entry: JsonValue,
  fill: (text: string) => string,
  filledIn: readonly NamedValue[],
  scope: VariableScope,
): ServerEntry {
  const given = readObject(common, entry);
  const lifecycle = lifecycleOf(given);
  const kind = transportOf(entry);
  if (kind instanceof EntryProblem) throw kind;
  if (kind === 'stdio') {
    const program = given.command ?? '';
    const own = readObject(stdio, entry);
    const { passEnv = [] } = own;
    const set = (own.env ?? []).map(([name, value]) => [name, fill(value)] as const);
    const env = [...new Map([...variablesIn(own.envFile && fill(own.envFile), scope), ...set])];
    const cwd = own.cwd && startable('"cwd"', fill(own.cwd));
    const args = (own.args ?? []).map((arg, at) => startable(`"args[${at}]"`, fill(arg)));
    const command = startable('"command"', fill(program));
    if (command.trim() === '') throw wrong('"command"', 'a program to start', command);
    for (const [name, value] of env) checkVariable(name, value);
    const values = [...env, ...passedVariables(passEnv, scope.env), ...filledIn];
    return {
      ...{ kind: 'stdio', command, args, env: new Map(env) },
      ...(passEnv.length > 0 && { passEnv }),
      ...(cwd !== undefined && { cwd: resolve(scope.workspaceFolder, cwd) }),
      secrets: entrySecrets({ values, args: [command, ...args], cwd }),
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
    ...{ kind, ...target, ...lifecycle },
    ...pick({ oauth }, 'oauth'),
    secrets: entrySecrets({ values, headers: target.headers, url }),
  };
}

/** The variables of `envFile`. What `env` says goes before them. */
function variablesIn(
  file: string | undefined,
  { workspaceFolder }: VariableScope,
): [string, string][] {
  if (file === undefined) return [];
  const path = resolve(workspaceFolder, startable('"envFile"', file));
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_VARIABLES) throw new Error('it is no small file');
    return Object.entries(parseEnv(readFileSync(path, 'utf8'))).map(([name, value = '']) => [
      name,
      value,
    ]);
  } catch (error) {
    throw new EntryProblem(
      `its "envFile" cannot be read (${errorMessage(error)})`,
      'Check the path.',
    );
  }
}

/**
 * How a server is reached, by its entry in Toolfold's own keys. What is started, and what is asked about it, comes from
 * here. A problem says why it cannot be reached.
 */
export function transportOf(entry: JsonValue): 'stdio' | 'http' | 'sse' | EntryProblem {
  const [type, command, url] = ['type', 'command', 'url'].map((key) => ownProperty(entry, key));
  const isRemote = type === 'http' || type === 'sse';
  if (command !== undefined && url !== undefined)
    return new EntryProblem(
      'its entry has both a command and a url',
      'Keep "command" (a program to start) or "url", and remove the other.',
    );
  if (command !== undefined && isRemote)
    return new EntryProblem(
      `its type is "${type}", but it has a command and no url`,
      'Remove its type, or give it a "url" instead of the "command".',
    );
  if (command !== undefined) return 'stdio';
  if (url !== undefined) return type === 'sse' ? 'sse' : 'http';
  return new EntryProblem(
    'its entry has neither a command nor a url',
    'Give it a "command" (a program to start) or a "url".',
  );
}

/** The address of a server. */
function addressIn(entry: JsonValue): string {
  return readObject(z.object({ url: notBlank }), entry).url;
}

function lifecycleOf(given: z.output<typeof common>): { readonly lifecycle?: Lifecycle } {
  const { idleSeconds: idleTime, startSeconds: startTimeout, callSeconds: callTimeout } = given;
  const { maxCallSeconds: maxCallTime } = given;
  const toolTimeouts = given.toolSeconds?.length === 0 ? undefined : given.toolSeconds;
  const all = { ...given, idleTime, startTimeout, callTimeout, maxCallTime, toolTimeouts };
  const times = ['idleTime', 'startTimeout', 'callTimeout', 'maxCallTime', 'toolTimeouts'] as const;
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
