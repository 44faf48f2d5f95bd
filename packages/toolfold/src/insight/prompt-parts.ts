import type { SessionStore } from '@toolfold/agent/internal/sessions';
import { parsedJson } from '@toolfold/core/internal/values';
import type { Prompt, SentPrompt } from './prompts.ts';

/** A line of a difference. */
export interface DiffLine {
  readonly mark: ' ' | '+' | '-';
  readonly line: string;
}

/** One part of a request. */
export interface PromptPart {
  readonly label: string;
  readonly kind: 'tools' | 'system' | 'message';
  readonly tokens: number;
  readonly hash: string;
  /** Whether the request before does not have it at the same place. */
  readonly isNew: boolean;
  /** The JSON that was sent. Absent if it was not kept. */
  readonly text?: string;
  /** What differs from the part that the request before has at this place. Absent if nothing does, or there is none. */
  readonly diff?: readonly DiffLine[];
}

/** A request in parts, in the order of the cache. */
export interface PromptParts extends Pick<Prompt, 'session' | 'request' | 'total'> {
  readonly parts: readonly PromptPart[];
}

/** Lines around a change, milliseconds for one difference, and characters of a text that is compared. */
const CONTEXT = 3;
const PATIENCE = 200;
const MOST_COMPARED = 500_000;

/** A request in parts, with their texts from the store. */
export async function promptParts(
  { prompt, segments, before }: SentPrompt,
  store: Pick<SessionStore, 'text'>,
): Promise<PromptParts> {
  const parts: PromptPart[] = [];
  for (const [at, { kind, label, tokens, hash }] of segments.entries()) {
    const old = before[at];
    const isNew = old?.hash !== hash || old.kind !== kind;
    const text = await store.text(hash);
    const was = isNew && old?.kind === kind ? await store.text(old.hash) : undefined;
    parts.push({
      ...{ label, kind, tokens, hash, isNew },
      ...(text === undefined ? {} : { text }),
      ...(text === undefined || was === undefined ? {} : { diff: await diffOf(was, text) }),
    });
  }
  const { session, request, total } = prompt;
  return { session, request, total, parts };
}

/** The lines that go and come between two texts, with some around them. JSON is compared line by line. */
export async function diffOf(before: string, after: string): Promise<readonly DiffLine[]> {
  const { structuredPatch } = await import('diff');
  const [old, now] = [linesOf(before), linesOf(after)];
  const options = { context: CONTEXT, timeout: PATIENCE };
  const isShort = Math.max(old.length, now.length) <= MOST_COMPARED;
  const patch = isShort ? structuredPatch('', '', old, now, '', '', options) : undefined;
  // What takes too long is wholly different.
  const lines = patch
    ? patch.hunks.flatMap((hunk) => hunk.lines)
    : [...old.split('\n').map((line) => `-${line}`), ...now.split('\n').map((line) => `+${line}`)];
  return lines
    .filter((line) => !line.startsWith('\\'))
    .map((line) => ({ mark: line[0] as DiffLine['mark'], line: line.slice(1) }));
}

function linesOf(text: string): string {
  const value = parsedJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
