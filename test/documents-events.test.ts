// test: slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { root } from './tree.ts';

interface EventOfPage {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

/**
 * The tables of events. A row begins an event, adds fields of one type to it, or does both. Fields of the row `each` are
 * those of all events of its table.
 */
async function eventsOfPage(): Promise<EventOfPage[]> {
  const page = await readFile(join(root, 'docs/agent.md'), 'utf8');
  const tables = page.matchAll(/^\| event \| field \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm);
  return [...tables].flatMap(([, rows = '']) => eventsOfTable(rows.trim().split('\n')));
}

function eventsOfTable(rows: readonly string[]): EventOfPage[] {
  const each: EventOfPage['fields'][number][] = [];
  const events: { name: string; fields: EventOfPage['fields'][number][] }[] = [];
  for (const row of rows) {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, event = '', names = '', type = '', meaning = ''] = cells;
    assert.notEqual(meaning, '', row);
    if (event !== '' && event !== 'each') events.push({ name: code(event), fields: [] });
    if (names === '') continue;
    const fields = event === 'each' ? each : (events.at(-1)?.fields ?? assert.fail(row));
    for (const name of names.split(', ')) fields.push({ name: code(name), type: code(type) });
  }
  return events.map(({ name, fields }) => ({ name, fields: [...each, ...fields] }));
}

function code(cell: string): string {
  const [, text = assert.fail(`no code: ${cell}`)] = /^`([^`]+)`$/.exec(cell) ?? [];
  return text;
}

/** Compares the union of the page with `AgentEvent`. Whether a field is readonly is left aside. */
const program = (events: readonly EventOfPage[]): string => `
import type { AgentEvent, DecisionSource, EndCode, EndReason, EventStamp, Spending, SubagentStatus, TurnError } from '@toolfold/agent';
import type { CacheAsked, RequestTokens, SchemaSource, Segment } from '@toolfold/ai-sdk';
import type { FormField, FormProblem, LogLevel } from '@toolfold/core';

type Plain<T> = T extends (...args: never[]) => unknown ? T
  : T extends AgentEvent | Error ? T
  : T extends readonly (infer E)[] ? Plain<E>[]
  : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;
type Fields<T> = { -readonly [K in keyof T]: Plain<T[K]> };
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

interface Page {
${events
  .map(
    ({ name, fields }) =>
      `  '${name}': { type: '${name}'; ${fields.map((field) => `${field.name}: ${field.type}`).join('; ')} };`,
  )
  .join('\n')}
}
type Real = { [T in AgentEvent['type']]: Fields<Extract<AgentEvent, { type: T }>> };
type Wrong<T extends keyof Page> = T extends keyof Real ? (Same<Real[T], Fields<Page[T]>> extends true ? true : T) : T;
type Missing = Exclude<keyof Real, keyof Page>;

${events.map(({ name }, at) => `export const event${at}: Wrong<'${name}'> = true;`).join('\n')}
export const missing: [Missing] extends [never] ? true : Missing = true;
export const stamp: Same<Fields<EventStamp>, { at: number; turn: number; step: number; seq: number; n?: number; attempt?: number }> = true;
`;

/** What the compiler says about a program that imports the package's sources. */
async function compile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const settings = {
      extends: join(root, 'tsconfig.json'),
      files: ['events.ts'],
      include: [],
    };
    await writeFile(join(folder, 'events.ts'), text);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', folder]);
    return '';
  } catch (error) {
    return String(Reflect.get(Object(error), 'stdout'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the tables of events have each event with its fields and types, and nothing else', async () => {
  const events = await eventsOfPage();
  assert.equal(new Set(events.map(({ name }) => name)).size, events.length);
  assert.equal(await compile(program(events)), '');
});

test('a missing event, field, question mark or another type is noticed', async () => {
  const events = (await eventsOfPage()).filter(({ name }) => name !== 'warning');
  const wrong = events.map((event) => {
    const { name, fields } = event;
    const [first, ...others] = fields;
    if (name === 'retry') return { ...event, fields: others };
    if (name === 'end')
      return {
        ...event,
        fields: fields.map((one) => ({ ...one, name: one.name.replace('?', '') })),
      };
    if (name === 'text' && first) return { ...event, fields: [{ ...first, type: 'number' }] };
    return event;
  });
  const unheard = { name: 'unheard', fields: [] };
  const message = await compile(program([...wrong, unheard]));
  for (const name of ['warning', 'retry', 'end', 'text', 'unheard'])
    assert.ok(message.includes(`"${name}"`), `${name}: ${message}`);
  assert.ok(!message.includes('"call"'), message);
});
