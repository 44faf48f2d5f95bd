import type { AgentHooks } from '@toolfold/agent/internal/agent';
import type { Session } from '@toolfold/agent/internal/sessions';
import { formatNumber } from '@toolfold/core/internal/tools/values';
import { findFiles, type InstructionFile } from './find-files.ts';

/** What the files of a project say to agents. */
export interface Instructions {
  readonly files: readonly InstructionFile[];
  /** Their texts as system text. Empty if there is none. */
  readonly text: string;
}

const HEADING =
  'The project has files that say how to work in it. Where two of them differ, the later one counts.';

/** Reads the files of a project, for a user who works in `folder`. Never rejects. */
export async function readInstructions(folder: string): Promise<Instructions> {
  const files = await findFiles(folder).catch(() => []);
  const sections = files.flatMap(({ name, text, size, read }) => {
    if (text.trim() === '' && read === size) return [];
    const cut = `[Cut: ${formatNumber(read)} of ${formatNumber(size)} bytes are shown.]`;
    return [`# ${name}\n\n${text.trim()}${read < size ? `\n\n${cut}` : ''}`];
  });
  return { files, text: sections.length === 0 ? '' : [HEADING, ...sections].join('\n\n') };
}

/** One line about the files for the user. Undefined if there is none. */
export function instructionLine({ files }: Pick<Instructions, 'files'>): string | undefined {
  if (files.length === 0) return;
  const parts = files.map(({ name, size, read, problem }) => {
    if (problem !== undefined) return `${name} (not read: ${problem})`;
    const bytes = `${formatNumber(read)}${read < size ? ` of ${formatNumber(size)}` : ''} bytes`;
    return `${name} (${bytes})`;
  });
  return `Instructions from ${parts.join(', ')}`;
}

/** The text that a conversation has sent. Undefined before its first request. */
export function keptInstructions({ entries }: Pick<Session, 'entries'>): string | undefined {
  const text = entries.findLast(({ kind }) => kind === 'system')?.body.text;
  return typeof text === 'string' ? text : undefined;
}

/**
 * The hooks of an agent and of its subagents that put the files into the system text: as they are when a
 * conversation begins. A session keeps the text, so that its prefix stays the same. Its subagents get the same text,
 * whenever they begin. A session that began without keeps its prefix.
 */
export function instructionHooks(
  folder: string | undefined,
  session: Pick<Session, 'entries'>,
): { readonly own: AgentHooks; readonly ofSubagents: AgentHooks } {
  const kinds = new Set(session.entries.map(({ kind }) => kind));
  if (folder === undefined || (kinds.has('turn') && !kinds.has('system')))
    return { own: {}, ofSubagents: {} };
  const adding = (textOf: () => Promise<string>): AgentHooks => ({
    transformSystemPrompt: async (before) => [before, await textOf()].filter(Boolean).join('\n\n'),
  });
  const read = async () => (await readInstructions(folder)).text;
  return {
    own: adding(read),
    ofSubagents: adding(async () => keptInstructions(session) ?? (await read())),
  };
}
