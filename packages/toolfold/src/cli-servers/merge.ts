// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import { dirname, resolve } from 'node:path';
import { withExposure, withServers } from '@toolfold/config/internal/settings';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { canonicalJson, mapTexts, ownProperty } from '@toolfold/core/internal/values';
import {
  type ClientServer,
  type FindConfigsOptions,
  placeOf,
  readClient,
  readText,
  type ToolLists,
} from '@toolfold/mcp/internal/clients';
import { parseConfig } from '@toolfold/mcp/internal/config';
import { createFile, realPath, replaceFile } from '../terminal/index.ts';

/** The file that the servers are merged into. It may not exist yet. */
export interface TargetFile {
  readonly file: string;
  /** `undefined` if there is no file. */
  readonly text: string | undefined;
  /** The file without links, to recognize it among the files of clients. */
  readonly path: string;
  readonly servers: readonly ClientServer[];
}

/**
 * Reads the file that the servers are merged into. Throws `invalid-config` if it exists and cannot be
 * read or is malformed: then it stays as it is.
 */
export async function readTarget(file: string, where: FindConfigsOptions): Promise<TargetFile> {
  const read = await readText(file);
  const path = realPath(file);
  if (read.state === 'unreadable') throw unusable(file, `${file} cannot be read: ${read.reason}.`);
  if (read.state === 'absent') return { file, text: undefined, path, servers: [] };
  // Checks the settings too: a file that the other commands refuse is not made longer.
  parseConfig(file, read.text, { env: {} });
  const found = await readClient(placeOf(file), { ...where, cwd: dirname(resolve(file)) });
  if (found.state !== 'read') throw unusable(file, `${file} cannot be read.`);
  return { file, text: read.text, path, servers: found.servers };
}

/**
 * Writes the servers and the rules for their tools to the file, in one step. The rest of the file keeps its values, order and
 * comments. Throws `invalid-config` if that fails; then the file is unchanged.
 */
export async function writeTarget(
  { file, text }: TargetFile,
  servers: readonly MergedServer[],
  exposure: Iterable<readonly [glob: string, exposure: string]>,
): Promise<void> {
  const bom = text?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const entries = servers.map(({ name, entry, isDisabled }) => {
    return [name, isDisabled ? { ...entry, disabled: true } : { ...entry }] as const;
  });
  try {
    const before = text?.slice(bom.length) ?? '{}\n';
    // What the user has said of a tool stays.
    const known = parseConfig(file, before, { env: {} }).settings?.exposure ?? {};
    const rules = [...exposure].filter(([glob]) => !Object.hasOwn(known, glob));
    const after = withExposure(withServers(before, entries), rules);
    checkWritten(after, servers);
    if (text === undefined) createFile(file, after);
    else {
      const now = await readText(file);
      if (now.state !== 'read' || now.text !== text)
        throw new Error('the file has changed in the meantime');
      replaceFile(file, bom + after);
    }
  } catch (error) {
    throw unusable(file, `${file} cannot be written: ${errorMessage(error)}.`, error);
  }
}

function checkWritten(text: string, servers: readonly MergedServer[]): void {
  const config = parseConfig('the result', text, { env: {} });
  const all = [...config.servers.keys(), ...config.disabled];
  const missing = servers.find(({ name }) => !all.includes(name));
  if (missing !== undefined) throw new Error('the file has no place for the servers');
}

function unusable(file: string, message: string, cause?: unknown): ToolfoldError {
  const isFolderAbsent = ownProperty(cause, 'code') === 'ENOENT';
  const hint = isFolderAbsent
    ? `Create the folder ${dirname(resolve(file))}, or name another file with --config.`
    : 'Correct it, or name another file with --config.';
  return new ToolfoldError('invalid-config', message, hint, cause);
}

/** A server of a client's file, ready for the merged file. */
export interface MergeCandidate {
  readonly name: string;
  /** The id of the client, as the end of another name. */
  readonly client: string;
  readonly file: string;
  readonly entry: PortableEntry;
  readonly isDisabled: boolean;
  readonly tools: ToolLists;
  /** What the user should know about it. */
  readonly notes: readonly string[];
  /** Variables that stand in the place of a secret. */
  readonly secrets: readonly string[];
}

/** A server of the merged file. */
export interface MergedServer extends Pick<MergeCandidate, 'name' | 'entry'> {
  /** Disabled in all places that it comes from. */
  readonly isDisabled: boolean;
  /** Whether it already stands in the file that is written. */
  readonly isThere: boolean;
  readonly from: readonly MergeCandidate[];
}

/**
 * Merges the servers of the clients into those that are there. Equal servers of one name become one.
 * If their entries differ, the first keeps the name, and each other one gets its client as a suffix.
 */
export function mergeServers(
  there: readonly MergeCandidate[],
  candidates: readonly MergeCandidate[],
  names: GivenNames,
): MergedServer[] {
  const findWritten = writtenAmong(there, names);
  const merged = new Map<string, MergedServer>();
  for (const { name, entry, isDisabled } of there)
    merged.set(name, { name, entry, isDisabled, isThere: true, from: [] });
  for (const candidate of candidates) {
    const { entry, isDisabled } = candidate;
    const name = findWritten(candidate) ?? nameFor(candidate, merged);
    const known = merged.get(name) ?? { name, entry, isDisabled, isThere: false, from: [] };
    merged.set(name, {
      ...known,
      isDisabled: known.isDisabled && (known.isThere || isDisabled),
      from: [...known.from, candidate],
    });
  }
  return [...merged.values()];
}

/** The variables that stand for secrets in this run. */
interface GivenNames {
  valueOf(name: string): string | undefined;
  /** Whether a variable may have this value, as far as the environment says. */
  mayBe(name: string, value: string): boolean;
}

/**
 * Finds the server that was written for a candidate: there a variable of any name stands in the place of each secret. One
 * variable stands for one value.
 */
function writtenAmong(
  there: readonly MergeCandidate[],
  names: GivenNames,
): (candidate: MergeCandidate) => string | undefined {
  const values = new Map<string, string>();
  return ({ name, client, entry }) => {
    const secrets: string[] = [];
    const pattern = comparable(entry)
      .split(/(\$\{[^{}]*\})/)
      .map((part, at) => {
        const value = at % 2 === 1 ? names.valueOf(part.slice(2, -1)) : undefined;
        if (value === undefined) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
        secrets.push(value);
        return '\\$\\{([\\w.-]+)\\}';
      });
    const form = new RegExp(`^${pattern.join('')}$`, 's');
    return there.find((server) => {
      const isOfName = server.name === name || server.name.startsWith(`${name}-${client}`);
      const found = isOfName ? form.exec(comparable(server.entry)) : null;
      if (found === null) return false;
      const pairs = secrets.map((value, at) => [found[at + 1] ?? '', value] as const);
      const all = new Map([...pairs, ...values]);
      const isSame = pairs.every(
        ([variable, value]) => all.get(variable) === value && names.mayBe(variable, value),
      );
      if (isSame) for (const [variable, value] of pairs) values.set(variable, value);
      return isSame;
    })?.name;
  };
}

/** Servers of other names with an equal entry, by the name of the first. */
export function equalServers(servers: readonly MergedServer[]): [string, string][] {
  const first = new Map<string, string>();
  return servers.flatMap(({ name, entry }): [string, string][] => {
    const key = comparable(entry);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, name);
    return earlier === undefined ? [] : [[name, earlier]];
  });
}

/** The name of an equal server of this name, in any client, or the first name that is free. */
function nameFor(
  { name, client, entry }: MergeCandidate,
  merged: ReadonlyMap<string, MergedServer>,
): string {
  const key = comparable(entry);
  const isOf = (server: MergedServer): boolean =>
    server.name === name || server.from.some((candidate) => candidate.name === name);
  const equal = [...merged.values()].find(
    (server) => isOf(server) && comparable(server.entry) === key,
  );
  if (equal !== undefined) return equal.name;
  for (let n = 0; ; n += 1) {
    const tried = n === 0 ? name : n === 1 ? `${name}-${client}` : `${name}-${client}-${n}`;
    if (!merged.has(tried)) return tried;
  }
}

/** The entry in a form in which equal ones have the same text. */
function comparable({ headers = {}, ...entry }: PortableEntry): string {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return canonicalJson({ ...entry, headers: Object.fromEntries(lower) }).replaceAll('${env:', '${');
}

/** The part of an entry that Toolfold reads. */
export interface PortableEntry {
  readonly type?: 'sse';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly passEnv?: readonly string[];
  readonly startSeconds?: number;
  readonly callSeconds?: number;
}

/** The keys with texts, in the order in which they are read. */
const KEYS = ['command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers'] as const;

/** Changes a text of an entry. `name`: that of its variable or header, or its place in a list. */
export type ChangeText = (text: string, key: (typeof KEYS)[number], name: string) => string;

/** The entry with each of its texts changed. Names of variables and headers stay. */
export function mapEntry(entry: PortableEntry, change: ChangeText): PortableEntry {
  const changed = KEYS.filter((key) => entry[key] !== undefined).map((key) => [
    key,
    mapTexts(entry[key], (text, name) => change(text, key, name)),
  ]);
  return { ...entry, ...Object.fromEntries(changed) };
}

/** All texts of an entry. */
export function textsOf(entry: PortableEntry): string[] {
  const texts: string[] = [];
  mapEntry(entry, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
