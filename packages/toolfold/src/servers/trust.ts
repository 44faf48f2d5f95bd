import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { TrustedEntries } from '@toolfold/config/internal/files';
import { KNOWN_TOKEN } from '@toolfold/config/internal/quote.ts';
import {
  effectsOf,
  onlyRestricts,
  type ToolfoldSettings,
} from '@toolfold/config/internal/settings';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperties, plainLine, truncate } from '@toolfold/core/internal/values';
import { workspaceOf } from '@toolfold/mcp/internal/clients';
import { blockIn, type ProjectEntry, transportOf } from '@toolfold/mcp/internal/config';
import { paddingAsLength, realPath, replaceFile, visible } from '../terminal/index.ts';
import { shownText } from './secret-places.ts';

/** An entry whose text is longer cannot be read in a question, so it is trusted only by its hash. */
const LONGEST = 2000;
/** Settings have a line for each effect. */
const LONGEST_SETTINGS = 4000;
const LONGEST_NAME = 60;
const MOST_NAMES = 5;

/** What a command does about entries that are not trusted. */
export interface TrustHost {
  readonly note: (text: string) => void;
  /** Asks for a yes. Left out: nobody can be asked. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** Hashes to which the user has said yes in this process. */
  readonly agreed?: ReadonlySet<string> | undefined;
}

/** The hashes of the entries that the user trusts in a folder. Those that are not trusted are asked about, once. */
export async function trustedAmong(
  entries: readonly ProjectEntry[],
  folder: string,
  { note, confirm, agreed }: TrustHost,
): Promise<ReadonlySet<string>> {
  const store = new TrustedEntries();
  const real = realPath(folder);
  const isKnown = ({ hash }: ProjectEntry): boolean =>
    agreed?.has(hash) === true || store.has(real, hash);
  const known = entries.filter(isKnown);
  const open = entries.filter((entry) => !known.includes(entry) && isReadable(entry));
  const isAgreed = open.length > 0 && confirm && (await confirm(trustQuestion(open, real)));
  if (isAgreed) keepTrust(open, real, note);
  return new Set([...known, ...(isAgreed ? open : [])].map(({ hash }) => hash));
}

/** Keeps a yes for later commands. Returns whether it is kept, and says so if not. */
export function keepTrust(
  entries: readonly ProjectEntry[],
  folder: string,
  note: (text: string) => void,
): boolean {
  const store = new TrustedEntries();
  try {
    for (const entry of entries) store.add({ folder, hash: entry.hash, name: nameOf(entry) });
    return true;
  } catch (error) {
    note(`Your answer cannot be kept, so you will be asked again: ${String(error)}`);
    return false;
  }
}

/**
 * Whether what is written into the block of settings of a project's file takes effect in a folder: its block, `text`, is
 * trusted there, only restricts, or is not there yet.
 */
export function isBlockInEffect(file: string, text: string, folder: string): boolean {
  const block = blockIn(file, text);
  if (block === undefined || onlyRestricts(block.settings)) return true;
  return new TrustedEntries().has(realPath(folder), block.hash);
}

/** A change of a configuration file. `folder`: where its block is trusted. Left out: the folder that it configures. */
interface ConfigChange {
  readonly text: string;
  readonly after: string;
  readonly folder?: string | undefined;
}

/**
 * Replaces a configuration file whose block of settings the user has changed, `text`, by `after`. What was in effect
 * stays trusted as it is now. `bom` stands before both. Throws as `replaceFile`.
 */
export function replaceConfig(
  file: string,
  { text, after, folder = workspaceOf(file) }: ConfigChange,
  bom = '',
): void {
  const isTrusted = isBlockInEffect(file, text, folder);
  replaceFile(file, bom + after);
  const hash = isTrusted ? blockIn(file, after)?.hash : undefined;
  if (hash !== undefined)
    new TrustedEntries().add({ folder: realPath(folder), hash, name: 'toolfold' });
}

/** Says which entries have no effect, and how to change that. */
export function noteUntrusted(
  entries: readonly ProjectEntry[],
  folder: string,
  note: (text: string) => void,
): void {
  const [first] = entries;
  if (first === undefined) return;
  const names = entries.slice(0, MOST_NAMES).map(nameOf).join(', ');
  const more = entries.length > MOST_NAMES ? ` and ${entries.length - MOST_NAMES} more` : '';
  note(
    `Left out, because nobody has said yes to them in this folder: ${names}${more}. To read and trust them: toolfold trust ${shellWord(realPath(folder))}`,
  );
}

/** The error for a server that is named and that the user has not said yes to. */
export function notTrusted(name: string, file: string): ToolfoldError {
  return new ToolfoldError(
    'not-trusted',
    `${plainLine(name, LONGEST_NAME)} is not trusted: ${file} is a file of the project, and nobody has said yes to this entry. Nothing was started.`,
    `Read and trust it: toolfold trust ${shellWord(realPath(workFolder(file)))}`,
  );
}

function workFolder(file: string): string {
  return dirname(file).replace(/[\\/]\.(?:cursor|vscode|gemini)$/, '');
}

/** The question about these entries: what each starts, contacts or allows, and the names of its variables. */
export function trustQuestion(entries: readonly ProjectEntry[], folder: string): string {
  const lines = entries.map((entry) => `  ${entryText(entry)}`);
  const files = [...new Set(entries.map(({ file }) => madeVisible(nameIn(folder, file))))].join(
    ', ',
  );
  const those = entries.length === 1 ? 'this entry' : `all ${entries.length} entries`;
  return `Not trusted yet in ${madeVisible(folder)}, from ${files}:\n${lines.join('\n')}\nTrust ${those} here?`;
}

/** The path of a file from the folder on. One that is not inside keeps its path. */
function nameIn(folder: string, file: string): string {
  const inside = relative(folder, join(realPath(dirname(file)), basename(file)));
  return inside.startsWith('..') || isAbsolute(inside) ? file : inside;
}

/** What an entry does, without control characters. Only settings have more than one line. */
export function entryText(entry: ProjectEntry): string {
  const name = nameOf(entry);
  if (entry.server === undefined) return settingsText(name, entry.settings ?? {});
  const own = ownProperties(entry.server.entry);
  const { cwd, envFile } = own;
  const where = cwd === undefined ? '' : ` in ${shown(hiddenIn('cwd', cwd))}`;
  const names = [
    ...variablesOf(own),
    ...(envFile === undefined ? [] : [`those in ${shown(hiddenIn('envFile', envFile))}`]),
  ];
  const variables = names.length === 0 ? '' : ` (variables: ${names.join(', ')})`;
  return `${name} ${actionOf(entry.server)}${where}${variables}`;
}

/** What a block of settings does, with a line for each effect. */
function settingsText(name: string, settings: ToolfoldSettings): string {
  const { effects, others } = effectsOf(settings);
  const lines = [
    ...effects.map((effect) => madeVisible(effect.replace(KNOWN_TOKEN, '[redacted]'))),
    ...(others.length === 0 ? [] : [`set ${others.join(', ')}, which allow and send nothing more`]),
  ];
  return `${name}: settings that\n${lines.map((line) => `    - ${line}`).join('\n')}`;
}

/** What a server's entry does, by the reader that decides what is done. */
function actionOf({ entry, refusal }: NonNullable<ProjectEntry['server']>): string {
  const transport = transportOf(entry);
  const problem = refusal ?? (typeof transport === 'string' ? undefined : transport.message);
  if (problem !== undefined) return `is not started: ${madeVisible(problem)}`;
  const { command, args, url } = ownProperties(entry);
  if (transport !== 'stdio') return `contacts ${target(url)}`;
  const given: readonly unknown[] = Array.isArray(args) ? args : [];
  const texts = given.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)));
  const words = texts.map((arg, at) =>
    shown(shownText(arg, { key: 'args', name: String(at), args: texts })),
  );
  return `starts ${[shown(hiddenIn('command', command)), ...words].join(' ')}`;
}

/** A text of an entry without its secrets. */
function hiddenIn(key: 'command' | 'cwd' | 'envFile', text: unknown): unknown {
  return typeof text === 'string' ? shownText(text, { key, name: key }) : text;
}

/** An address. Its host goes before it where the text does not begin with it, as in `https://good@host`. */
function target(url: unknown): string {
  const isText = typeof url === 'string';
  const text = shown(isText ? shownText(url, { key: 'url', name: 'url' }) : url);
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  if (typeof url !== 'string' || parsed === null) return text;
  const start = `${parsed.protocol}//${parsed.host}`;
  const isPlain = url === start || ['/', '?', '#'].some((end) => url.startsWith(start + end));
  if (isPlain) return text;
  const user =
    parsed.username === ''
      ? ''
      : ` as the user ${shown(shownText(parsed.username, { key: 'args', name: '0' }))}`;
  return `${shown(parsed.host)}${user}, by the address ${text}`;
}

export function isReadable(entry: ProjectEntry): boolean {
  return entryText(entry).length <= (entry.server === undefined ? LONGEST_SETTINGS : LONGEST);
}

function nameOf({ server }: ProjectEntry): string {
  return server === undefined ? 'toolfold' : truncate(madeVisible(server.name), LONGEST_NAME);
}

/** The names of the variables and headers that an entry sets, and of those that it reads. */
function variablesOf(entry: Readonly<Record<string, unknown>>): string[] {
  const { env, headers, passEnv } = entry;
  const read = [...JSON.stringify(entry).matchAll(/\$\{(?:env:|input:)?([A-Za-z_][\w.-]*)/g)];
  const names = [
    ...Object.keys(ownProperties(env)),
    ...Object.keys(ownProperties(headers)),
    ...(Array.isArray(passEnv) ? passEnv.map(String) : []),
    ...read.map(([, name = '']) => name),
  ];
  return [...new Set(names)].map(madeVisible);
}

/** A word of a command. One that is no plain word is in quotes, so that its ends are seen. */
function shown(word: unknown): string {
  const text = typeof word === 'string' ? word : (JSON.stringify(word) ?? '');
  return /^[\w@%+=:,./${}~-]+$/.test(text) ? text : madeVisible(JSON.stringify(text));
}

/** The text with all that a terminal obeys or does not show made visible, and padding as its length. */
function madeVisible(text: string): string {
  return paddingAsLength(visible(text));
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${visible(word).replaceAll("'", "'\\''")}'`;
}
