import { createSession, type SessionStore } from '@toolfold/agent/sessions';

/** An answer with what Markdown has: a table, lists, code, several scripts. */
export const ANSWER: string = [
  '## What was found',
  'The **first** file is `src/main.ts`. It imports *three* others, see [the list](file:///list) below.',
  '| file | lines | 状態 |\n|---|--:|:-:|\n| `src/main.ts` | 120 | 完了 |\n| `src/a.ts` | 80 | 😀 |',
  '- one point\n- another point, which is longer than the line on most screens, so that it is wrapped once\n  - nested\n1. first\n2. second',
  '```ts\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n```',
  '> A quote of what the file says about itself.',
  'That is all there is to say about it. '.repeat(4),
].join('\n\n');

/** Turns that are written at a time. */
const AT_ONCE = 500;

/** Creates a session with so many turns: a message, a call with its result, and an answer each. */
export async function longSession(
  store: SessionStore,
  options: { readonly id: string; readonly folder: string; readonly turns: number },
): Promise<void> {
  const { id, folder, turns } = options;
  const session = await createSession(store, { id, folder });
  await session.begin({ onMessage: () => {}, onLost: () => {} });
  for (let first = 1; first <= turns; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, turns - first + 1);
    const entries = Array.from({ length: count }, (_, at) => turnOf(first + at)).flat();
    await session.append(entries as never);
  }
  await session.end();
}

function turnOf(number: number): readonly object[] {
  const call = { id: `call_${number}`, name: 'files__read' };
  const input = { path: `/src/file-${number}.ts`, limit: 40 };
  const finish = { unified: 'stop', raw: null };
  const lines = Array.from({ length: 12 }, (_, at) => `${at + 1}: line of file ${number}`);
  const usage = {
    type: 'usage',
    input: 9000 + number,
    cacheRead: 8000,
    cacheWrite: 500,
    output: 300,
  };
  return [
    { kind: 'turn', body: { number, how: 'send' } },
    {
      kind: 'user',
      body: { message: { role: 'user', content: `Question ${number}: what is in this file?` } },
    },
    {
      kind: 'model',
      body: {
        ...{ step: 1, finish: { unified: 'tool-calls', raw: null } },
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool-call', toolCallId: call.id, toolName: call.name, input },
        ],
      },
    },
    { kind: 'call', body: { ...call, arguments: input } },
    { kind: 'event', body: { event: usage } },
    { kind: 'start', body: call },
    { kind: 'result', body: { ...call, output: lines.join('\n'), duration: 12 } },
    { kind: 'model', body: { step: 2, finish, content: [{ type: 'text', text: ANSWER }] } },
    { kind: 'event', body: { event: usage } },
    { kind: 'event', body: { event: { type: 'end', reason: 'done', text: '', roundsLeft: 4 } } },
  ];
}
