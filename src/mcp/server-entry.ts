import type { JsonValue } from '../tools/json.ts';
import { isRecord, own } from '../tools/json.ts';
import type { ServerEntry } from './config.ts';
import { secretTexts } from './redact.ts';
import { fillIn, type VariableScope } from './variables.ts';

/** Why one entry is unusable; caught in this file, it becomes the server's own failure. */
class EntryProblem extends Error {
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/**
 * One server's entry with its variables filled in. Never throws: what is wrong with it is the
 * server's own failure. Keys that other clients put there are ignored.
 */
export function readServerEntry(entry: JsonValue, scope: VariableScope): ServerEntry {
  const fromEnvironment: string[] = [];
  const fill = (text: string): string => {
    const filled = fillIn(text, scope, (value) => fromEnvironment.push(value));
    if (typeof filled === 'string') return filled;
    throw new EntryProblem(filled.reason, filled.remedy);
  };
  try {
    return readFilled(entry, fill, fromEnvironment);
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    return { kind: 'unusable', reason: error.message, remedy: error.remedy };
  }
}

function readFilled(
  entry: JsonValue,
  fill: (text: string) => string,
  fromEnvironment: readonly string[],
): ServerEntry {
  if (!isRecord(entry)) throw wrong('its entry', 'an object', entry);
  const type = optionalText(entry, 'type');
  const command = optionalText(entry, 'command');
  // `serverUrl` is Windsurf's name for it, `httpUrl` Gemini CLI's.
  const urlKey = ['url', 'serverUrl', 'httpUrl'].find((key) => own(entry, key) !== undefined);
  if (command !== undefined && type !== 'http' && type !== 'sse') {
    const env = texts(entry, 'env', fill);
    const cwd = optionalText(entry, 'cwd');
    return {
      kind: 'stdio',
      command: fill(command),
      args: list(entry, 'args').map(fill),
      env,
      ...(cwd === undefined ? {} : { cwd: fill(cwd) }),
      secrets: secretTexts([...env.values(), ...fromEnvironment]),
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
  return {
    kind: type === 'sse' ? 'sse' : 'http',
    url,
    headers,
    secrets: secretTexts([...urlSecrets(url), ...headers.values(), ...fromEnvironment]),
  };
}

/** Checks that the text is an HTTP address and returns what in it could be a key. */
function urlSecrets(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new EntryProblem('its url is not an http or https address', 'Correct "url".');
  }
  return [parsed.username, parsed.password, ...parsed.searchParams.values()];
}

function optionalText(entry: Record<string, unknown>, key: string): string | undefined {
  const value = own(entry, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw wrong(`"${key}"`, 'a string', value);
  return value;
}

function list(entry: Record<string, unknown>, key: string): string[] {
  const value = own(entry, key) ?? [];
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
  const value = own(entry, key) ?? {};
  if (!isRecord(value)) throw wrong(`"${key}"`, 'an object of strings', value);
  return new Map(
    Object.entries(value).map(([name, item]) => {
      if (typeof item !== 'string') throw wrong(`"${key}.${name}"`, 'a string', item);
      return [name, fill(item)];
    }),
  );
}

function wrong(what: string, expected: string, found: unknown): EntryProblem {
  const kind = Array.isArray(found) ? 'a list' : found === null ? 'null' : `a ${typeof found}`;
  const words = found === '' ? 'empty' : kind === 'a object' ? 'an object' : kind;
  return new EntryProblem(`${what} should be ${expected} but is ${words}`, `Correct ${what}.`);
}
