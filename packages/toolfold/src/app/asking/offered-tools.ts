import type { ToolLayer } from '@toolfold/core/internal/tools';
import type { Tool } from '@toolfold/core/internal/tools/tool';
import type { Choice, Step } from '../questions/index.ts';
import { oneLine } from '../terminal/index.ts';
import { MAX_NAME } from './steps/index.ts';

/** The part of a tool layer that is asked about tools. */
export type KnownTools = Pick<ToolLayer, 'addressOf' | 'fingerprintOf' | 'known'>;

/** What a tool says of itself. Its server need not be trusted. */
export type MarksOf = (name: string) => Tool['annotations'];

/** Tools of one server that an answer can allow together. All are of one kind. */
export interface OfferedTools {
  /** `reads`: their server marks them as read-only. `changes`: nothing says that they only read. */
  readonly kind: 'reads' | 'changes';
  readonly server: string;
  /** Each by the fingerprint of its definition. */
  readonly tools: Readonly<Record<string, string>>;
}

/** More tools than this are not offered: nobody reads longer lists. */
const MOST = 100;
/** Names in a choice. The second question has all of them. */
const NAMED = 3;

/**
 * The tools that one answer to a question about this tool can allow: where it is marked as read-only, all of its server
 * that are; else those whose names begin with the same verb. Marks are not trusted, so they only leave tools out of
 * what changes data, and a tool that is marked as destructive is never covered. Undefined if there is no other tool.
 */
export function offeredTools(
  name: string,
  tools: KnownTools,
  marksOf: MarksOf,
): OfferedTools | undefined {
  const { groupId, bare } = tools.addressOf(name);
  const kind = kindOf(marksOf(name));
  const verb = verbOf(bare);
  if (groupId === undefined || kind === 'destroys') return;
  if (kind === 'changes' && verb === undefined) return;
  const found: [name: string, fingerprint: string][] = [];
  for (const one of tools.known().tools) {
    const isLike = kind === 'reads' || verbOf(one.bare) === verb;
    if (one.groupId !== groupId || !isLike || kindOf(marksOf(one.name)) !== kind) continue;
    const definition = tools.fingerprintOf(one.name);
    // A name that cannot be shown as it is cannot be agreed to.
    if (definition === undefined || oneLine(one.name, MAX_NAME) !== one.name) continue;
    found.push([one.name, definition]);
  }
  const isAmong = found.some(([one]) => one === name);
  if (!isAmong || found.length < 2 || found.length > MOST) return;
  found.sort(([one], [other]) => (one < other ? -1 : 1));
  const server = oneLine(groupId.replace(/^mcp:/, ''), MAX_NAME);
  return { kind, server, tools: Object.fromEntries(found) };
}

/** The choice of all these tools. A second question lists them, and asks for how long. */
export function toolsChoice(offer: OfferedTools, file: string | undefined): Choice {
  const { kind } = offer;
  const names = Object.keys(offer.tools);
  const some = `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ', …' : ''}`;
  const what = countText(offer);
  return {
    id: kind,
    label: `Allow ${what}: ${some}`,
    line: { letters: 't', words: `these ${names.length} tools`, isShort: true },
    confirm: {
      text: `Run these ${names.length} tools without a question?`,
      details: [
        `${what}:`,
        `  ${names.join(', ')}`,
        kind === 'reads'
          ? 'The server says that they only read. A tool that changes, and a new one, is asked about.'
          : 'They may change data. A tool that changes, and a new one, is asked about.',
      ],
      choices: [
        BACK,
        {
          id: `${kind}-session`,
          label: 'Yes, in this session',
          line: { letters: 's', words: 'yes, in this session' },
        },
        ...(file === undefined
          ? []
          : [
              {
                id: `${kind}-always`,
                label: `Yes, always (saved in ${file})`,
                line: { letters: 'a', words: `always (saved in ${file})` },
              },
            ]),
      ],
      marked: BACK.id,
    },
  };
}

/** Goes back to the first question. */
export const BACK: Step['choices'][number] = {
  id: 'back',
  label: 'No, go back',
  line: { letters: 'n', words: 'no, go back' },
};

function countText({ kind, server, tools }: OfferedTools): string {
  const count = Object.keys(tools).length;
  return kind === 'reads'
    ? `${count} reads of ${server}`
    : `${count} tools of ${server} that may change data`;
}

function kindOf(marks: Tool['annotations']): OfferedTools['kind'] | 'destroys' {
  if (marks?.destructiveHint === true) return 'destroys';
  return marks?.readOnlyHint === true ? 'reads' : 'changes';
}

function verbOf(bare: string): string | undefined {
  return /^[a-z]+_(?=[a-z])/i.exec(bare)?.[0];
}
