// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { product } from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { HookedCall, WithOptions } from '../../src/index.ts';
import {
  callOf,
  KINDS,
  type Kind,
  logging,
  nameOf,
  scripted,
} from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  each,
  foldOf,
  ROUTES,
  START,
  STRATEGIES,
  type Strategy,
  someOf,
  turn,
} from './attacks.test-support.ts';

interface Mail {
  to?: string;
  nested?: { to?: string; list: string[] };
}
const WRITTEN = { to: 'bob', nested: { to: 'bob', list: ['bob'] } };
const SCHEMA = z.object({
  to: z.string().optional(),
  nested: z.object({ to: z.string().optional(), list: z.array(z.string()) }),
});

/** What code of the app does to the object that it is given. */
const EDITS: Readonly<Record<string, (input: Mail) => void>> = {
  'sets a value': (input) => {
    input.to = 'evil';
  },
  'deletes a key': (input) => {
    delete input.to;
  },
  'sets a nested value': (input) => {
    if (input.nested) input.nested.to = 'evil';
  },
  'adds to a nested list': (input) => {
    input.nested?.list.push('evil');
  },
  'defines a property': (input) => {
    Object.defineProperty(input, 'to', { value: 'evil', enumerable: true });
  },
};

type Verdict = 'says nothing' | 'approves' | 'asks';
interface Editor {
  /** It edits the messages too: hooks may see what has become of them, before the call is refused. */
  readonly editsMessages?: true;
  readonly view?: WithOptions;
  readonly tool?: object;
}

/** Who edits. `edit` is called with the arguments that the code of the app gets. */
const EDITORS: Readonly<
  Record<string, (edit: (input: unknown) => void, verdict: Verdict, kind: Kind) => Editor>
> = {
  toolApproval: (edit, verdict) => ({
    view: {
      toolApproval: ({ toolCall }: { toolCall: { input: unknown } }) => {
        edit(toolCall.input);
        return STATUS[verdict];
      },
    },
  }),
  'toolApproval, after a promise': (edit, verdict) => ({
    view: {
      toolApproval: async ({ toolCall }: { toolCall: { input: unknown } }) => {
        await Promise.resolve();
        edit(toolCall.input);
        return STATUS[verdict];
      },
    },
  }),
  'toolApproval by tool': (edit, verdict, kind) => ({
    view: {
      toolApproval: {
        [nameOf(kind)]: (input: unknown) => {
          edit(input);
          return STATUS[verdict];
        },
      } as never,
    },
  }),
  'toolApproval, through the messages and the tools it is given': (edit, verdict) => ({
    editsMessages: true,
    view: {
      toolApproval: (given: { toolCall: object; messages: { content: unknown }[] }) => {
        edit((given.toolCall as { input: unknown }).input);
        for (const { content } of given.messages)
          if (Array.isArray(content))
            for (const part of content) if (part.type === 'tool-call') edit(part.input);
        return STATUS[verdict];
      },
    } as never,
  }),
  needsApproval: (edit, verdict) => ({
    tool: {
      needsApproval: (input: unknown) => {
        edit(input);
        return verdict === 'asks';
      },
    },
  }),
  'a hook': (edit, verdict) => ({
    view: {
      hooks: {
        beforeToolCall: ({ arguments: given }: HookedCall) => {
          edit(given);
          return verdict === 'asks' ? { ask: true } : undefined;
        },
      },
    },
  }),
};
const STATUS = { 'says nothing': undefined, approves: 'approved', asks: 'user-approval' } as const;
const VERDICTS: readonly Verdict[] = ['says nothing', 'approves', 'asks'];
/** When the app edits: at every call, at the first one, or only once the user has answered. */
const MOMENTS = ['always', 'once', 'after the answer'] as const;

function rowsOf(editor: string) {
  const all = product({
    strategy: STRATEGIES,
    kind: KINDS,
    route: ROUTES,
    verdict: VERDICTS,
    moment: MOMENTS,
    position: ['first', 'later'] as const,
    hook: ['one that allows', 'none'] as const,
  });
  return someOf(
    all.filter(
      ({ verdict, moment, strategy, hook }) =>
        (moment !== 'after the answer' || verdict === 'asks') &&
        // The off switch: the SDK alone calls what edits, and runs what it left.
        (strategy !== 'eager' || hook !== 'none' || editor === 'a hook'),
    ),
  );
}

describe('code of the app that edits the arguments it is given', () => {
  for (const [editor, make] of Object.entries(EDITORS)) {
    for (const [name, change] of Object.entries(EDITS)) {
      test(`promise 51: ${editor} ${name}: the original arguments run, or nothing`, async () => {
        await each(rowsOf(editor), (row) => attack(row, make, change));
      });
    }
  }
});

async function attack(
  { strategy, kind, route, verdict, moment, position, hook }: ReturnType<typeof rowsOf>[number],
  make: (typeof EDITORS)[string],
  change: (input: Mail) => void,
): Promise<void> {
  const runs: unknown[] = [];
  const seen: unknown[] = [];
  let isAnswered = false;
  let times = 0;
  const editor = make(
    (input) => {
      times++;
      if (moment === 'once' && times > 1) return;
      if (moment === 'after the answer' && !isAnswered) return;
      change(input as Mail);
    },
    verdict,
    kind,
  );
  const watch = ({ name, arguments: given }: HookedCall): undefined => {
    if (name !== 'note') seen.push(structuredClone(given));
  };
  const given = editor.view?.hooks?.beforeToolCall ?? [];
  const before = [...[given].flat(), ...(hook === 'none' ? [] : [watch])];
  const fields = foldOf(
    strategy,
    kind,
    logging(runs, { inputSchema: SCHEMA, ...editor.tool }),
    scripted([stepOf(strategy, kind, position)]),
    {
      fold: { tools: toolsOf(kind, runs, editor.tool) },
      view: { ...editor.view, ...(before.length > 0 ? { hooks: { beforeToolCall: before } } : {}) },
    },
  );
  const said = await turn(route, START, fields);
  for (const { id, input } of said.asked)
    if (id === 'id_1') assert.deepEqual(input, WRITTEN, 'the user was shown other arguments');
  if (said.asked.length > 0) {
    assert.deepEqual(runs, [], 'it ran before the answer');
    isAnswered = true;
    await turn(route, answered(said), fields);
  }
  assert.ok(runs.length <= 1, 'it ran twice');
  for (const input of runs) assert.deepEqual(input, WRITTEN, 'it ran with other arguments');
  if (editor.editsMessages) return;
  for (const input of seen) assert.deepEqual(input, WRITTEN, 'a hook saw other arguments');
}

function stepOf(strategy: Strategy, kind: Kind, position: 'first' | 'later') {
  const call = calling(strategy, kind, WRITTEN);
  if (position === 'first') return [call];
  return [callOf('note', { text: 'n' }, { toolCallId: 'id_0' }), call];
}

function toolsOf(kind: Kind, runs: unknown[], more: object = {}): ToolSet {
  const note = tool(logging([]) as never) as ToolSet[string];
  if (kind === 'deferred') return { note };
  return {
    note,
    act: tool(logging(runs, { inputSchema: SCHEMA, ...more }) as never) as ToolSet[string],
  };
}
