import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isRecord } from '@toolfold/core/internal/values/json.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type HookedCall, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { Talk } from '../policy/talk.test-support.ts';
import type { Fields } from '../policy/trial.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const [endpoint] = ENDPOINTS as readonly [Endpoint];
const KEY = 'toolfold';

const send: ReplyCall = { name: 'mail__send', arguments: { text: 'a' } };
const post: ReplyCall = { name: 'post', arguments: { text: 'a' } };
const note: ReplyCall = { name: 'note', arguments: {} };

interface Given {
  readonly replies: readonly Reply[];
  readonly with?: WithOptions;
  /** Properties of the group tool and of the own tool. */
  readonly needsApproval?: boolean;
  readonly isClientSide?: boolean;
  /** Additional own tools. */
  readonly own?: (table: Table) => ToolSet;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly fields?: (fields: Fields, table: Table) => Fields;
}

/** A fold of three tools that log their runs, and a conversation with its model. */
class Table {
  readonly runs: string[] = [];
  readonly seen: HookedCall[] = [];
  readonly talk: Talk = new Talk('generateText');
  readonly given: Given;
  description = 'Send.';
  #fold: Fold<ToolSet>;

  constructor(given: Given) {
    this.given = given;
    this.#fold = this.#open();
  }

  /** The same app after a restart. */
  restart(): void {
    this.#fold = this.#open();
  }

  #open(): Fold<ToolSet> {
    const { needsApproval = false, isClientSide = false, own } = this.given;
    const { execute: _, ...clientSide } = this.logging('post', needsApproval);
    const plain = isClientSide ? clientSide : this.logging('post', needsApproval);
    const noting = tool({ inputSchema: z.object({}), execute: () => this.runs.push('note') });
    return createFold({
      tools: { post: plain, note: noting, ...own?.(this) } as ToolSet,
      groups: [this.#group(needsApproval)],
      strategy: 'dispatch',
    });
  }

  /** Changes the group tool. `isRefreshed`: the group stays the same. */
  change(isRefreshed = false): void {
    this.description = 'Send to everybody.';
    if (isRefreshed) this.#fold.layer.refresh('mcp:mail');
    else this.#fold.update([this.#group(this.given.needsApproval ?? false)]);
  }

  logging(name: string, needsApproval = false, description = name): ToolSet[string] {
    return tool({
      description,
      inputSchema: z.object({ text: z.string() }),
      needsApproval,
      execute: ({ text }) => {
        this.runs.push(`${name} ${text}`);
        return 'ran';
      },
    });
  }

  fields(model: ReturnType<typeof modelOn>): Fields {
    const fields = this.#fold.with(model, this.given.with) as Fields;
    return this.given.fields?.(fields, this) ?? fields;
  }

  #group(needsApproval: boolean) {
    return {
      groupId: 'mcp:mail',
      toolNames: ['send', 'idle'],
      fingerprint: this.description,
      loader: async () => {
        const made = this.logging('send', needsApproval, this.description);
        const { execute: _, ...idle } = made;
        return { send: made, idle };
      },
    };
  }
}

/** Plays the conversation. `between` may read and change the messages between question and answer. */
async function play(given: Given, between?: (table: Table) => void) {
  await using server = await startModelServer({
    script: [...given.replies, { text: 'Done.' }, { text: 'Bye.' }],
  });
  const table = new Table(given);
  const { talk, runs } = table;
  const fields = table.fields(modelOn(server, endpoint));
  await talk.run(fields, given.settings ?? {});
  const { questions } = talk;
  if (between) {
    talk.answer(true);
    talk.pack();
    between(table);
    await talk.run(table.fields(modelOn(server, endpoint)), given.settings ?? {});
  }
  const read = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
  return { runs, questions, results: read };
}

const asking: WithOptions = { hooks: { beforeToolCall: ({ name }) => ({ ask: name !== 'note' }) } };
const refine = { experimental_refineToolInput: { post: () => ({ text: 'b' }) } };
const denyOf = (text: string) => ({
  hooks: {
    beforeToolCall: ({ arguments: given }: HookedCall) =>
      given.text === text ? { deny: `Not ${text}.` } : undefined,
  },
});
const changes = ({ input }: { readonly input: unknown }) => {
  if (isRecord(input)) input.text = 'z';
};
const withoutField = ({ model, tools }: Fields): Fields => ({ model, tools });

describe('promise 51: nothing runs without a permit', () => {
  test('promise 51: a refined input is decided in its final form, and the changed input of a hook runs', async () => {
    for (const fields of [undefined, withoutField]) {
      const given = { replies: [{ calls: [post] }], settings: refine, ...(fields && { fields }) };
      const denied = await play({ ...given, with: denyOf('b') });
      assert.deepEqual(denied.runs, []);
      assert.match(denied.results[0] ?? '', /Not b\./);
      const change = ({ arguments: { text } }: HookedCall) =>
        text === 'b' ? { arguments: { text: 'c' } } : undefined;
      const changed = await play({ ...given, with: { hooks: { beforeToolCall: change } } });
      assert.deepEqual(changed.runs, ['post c']);
    }
  });

  test('promise 51: if only the tool can stop a call, a denial is not decided twice', async () => {
    let looks = 0;
    // The hook denies only in its second call.
    const beforeToolCall = () => (++looks === 2 ? { deny: 'Not now.' } : undefined);
    const { runs } = await play({
      replies: [{ calls: [post] }],
      settings: refine,
      with: { hooks: { beforeToolCall } },
      fields: withoutField,
    });
    assert.deepEqual(runs, []);
    assert.equal(looks, 2);
  });

  for (const isRefreshed of [false, true]) {
    test(`promise 51: a tool that changes between its approval and its run is decided again, ${isRefreshed ? 'its group refreshed' : 'its group changed'}`, async () => {
      const seen: HookedCall[] = [];
      let table: Table | undefined;
      const beforeToolCall = (call: HookedCall) => {
        seen.push(call);
        return seen.length > 1 ? { deny: 'Not the new one.' } : undefined;
      };
      const toolApproval = () => {
        table?.change(isRefreshed);
        return undefined;
      };
      const { runs, results } = await play({
        replies: [{ calls: [send] }],
        with: { hooks: { beforeToolCall }, toolApproval },
        fields: (fields, made) => {
          table = made;
          return fields;
        },
      });
      assert.deepEqual(runs, []);
      assert.equal(seen.length, 2);
      assert.match(results[0] ?? '', /Not the new one/);
    });
  }

  test('promise 51: a call that was denied on arrival stays denied after refinement', async () => {
    const given = { replies: [{ calls: [post] }], settings: refine, with: denyOf('a') };
    const { runs, results } = await play(given);
    assert.deepEqual(runs, []);
    assert.match(results[0] ?? '', /Not a\./);
  });

  test('a client-side tool that loads only after another call: the model has to call it again', async () => {
    const idle = { name: 'mail__idle', arguments: { text: 'a' } };
    const { results } = await play({ replies: [{ calls: [note, idle] }] });
    assert.match(results[1] ?? '', /call_again/);
  });

  test('promise 51: a tool does not run if its input changes while an observer is awaited', async () => {
    const observers = { started: changes };
    const given = { replies: [{ calls: [post] }], settings: refine, with: { observers } };
    const { runs, results } = await play(given);
    assert.deepEqual(runs, []);
    assert.match(results[0] ?? '', /input of post was changed/);
    // The same holds for an input that only Toolfold has.
    assert.deepEqual((await play({ ...given, settings: {} })).runs, []);
  });

  test('an input that an observer mutates runs as it was permitted, for a group tool too', async () => {
    const { runs } = await play({
      replies: [{ calls: [send] }],
      with: { observers: { started: changes } },
    });
    assert.notDeepEqual(runs, ['send z']);
  });

  test('promise 51: the needsApproval of a tool is asked after it has loaded, whatever came before', async () => {
    const calls = [note, send];
    const late = await play({ replies: [{ calls }], needsApproval: true });
    assert.deepEqual(late.runs, ['note']);
    assert.match(late.results[1] ?? '', /approval_needed/);
    // The app's function asks for the tool's `needsApproval`, which is not known yet.
    const toolApproval = async ({ needsApproval }: { needsApproval: () => Promise<boolean> }) =>
      (await needsApproval()) ? 'user-approval' : undefined;
    const asked = await play({
      replies: [{ calls }],
      needsApproval: true,
      with: { toolApproval: toolApproval as never },
    });
    assert.deepEqual(asked.runs, ['note']);
  });

  test('promise 51: client-side tools and tools beside the fold are denied in toolApproval', async () => {
    const clientSide = await play({
      replies: [{ calls: [post] }],
      settings: refine,
      with: denyOf('b'),
      isClientSide: true,
    });
    assert.match(clientSide.results[0] ?? '', /Not b\./);
    const other = ({ arguments: { text } }: HookedCall) =>
      text === 'b' ? { arguments: { text: 'c' } } : undefined;
    const read = await play({
      replies: [{ calls: [post] }],
      settings: refine,
      with: { hooks: { beforeToolCall: other } },
      isClientSide: true,
    });
    assert.match(
      read.results[0] ?? '',
      /arguments differ from those that the user was asked about/,
    );
    const beside = (fields: Fields, table: Table) => ({
      ...fields,
      tools: { ...fields.tools, extra: table.logging('extra') },
    });
    const extra = { name: 'extra', arguments: { text: 'a' } };
    const settings = { experimental_refineToolInput: { extra: () => ({ text: 'b' }) } };
    const given = { replies: [{ calls: [extra] }], fields: beside, settings };
    assert.deepEqual((await play({ ...given, with: denyOf('b') })).runs, []);
    const change = () => ({ arguments: { text: 'c' } });
    const changed = await play({ ...given, with: { hooks: { beforeToolCall: change } } });
    assert.deepEqual(changed.runs, [], 'nobody can put other arguments in');
  });

  test('promise 51: if the app replaces toolApproval, a hook that asks about a tool beside the fold refuses it', async () => {
    const fields = (given: Fields, table: Table) => ({
      ...given,
      tools: { ...given.tools, extra: table.logging('extra') },
      toolApproval: () => 'approved',
    });
    const extra = { name: 'extra', arguments: { text: 'a' } };
    const beforeToolCall = ({ name }: HookedCall) => ({ ask: name === 'extra' });
    const { runs } = await play({
      replies: [{ calls: [post] }, { calls: [extra] }],
      with: { hooks: { beforeToolCall } },
      fields,
    });
    assert.deepEqual(runs, ['post a']);
  });

  test('promise 51: a tool does not run when it is called by its name within the group', async () => {
    await using server = await startModelServer({ script: [] });
    const table = new Table({ replies: [] });
    const { tools } = table.fields(modelOn(server, endpoint));
    const call = (name: string) => {
      const run = tools[name]?.execute as (input: unknown, options: unknown) => Promise<unknown>;
      return run({ text: 'a' }, { toolCallId: 'c1', messages: [] });
    };
    assert.equal(await call('mail__send'), 'ran');
    await assert.rejects(async () => call('send'), /was not known when this step began/);
    assert.deepEqual(table.runs, ['send a']);
  });

  test('promise 51: a tool in a copied set and a tool of another fold find no permit of this fold', async () => {
    const copied = await play({
      replies: [{ calls: [send] }],
      with: denyOf('a'),
      fields: ({ model, tools }) => ({ model, tools: { ...tools } }),
    });
    assert.deepEqual(copied.runs, []);
    await using server = await startModelServer({ script: [] });
    const other = new Table({ replies: [], with: denyOf('a') });
    const { tools } = other.fields(modelOn(server, endpoint));
    await play({ replies: [{ calls: [send, post] }], fields: (fields) => ({ ...fields, tools }) });
    assert.deepEqual(other.runs, []);
  });
});

describe('promise 50: what an approval holds for', () => {
  for (const [name, call] of Object.entries({ send, post })) {
    test(`promise 50: the tool and the arguments that the user was asked about, ${name}`, async () => {
      const { runs, questions } = await play(
        { replies: [{ calls: [call] }], with: asking },
        () => {},
      );
      assert.equal(questions.length, 1);
      assert.deepEqual(runs, [`${name} a`]);
    });

    test(`promise 50: no other arguments, ${name}`, async () => {
      const { runs } = await play({ replies: [{ calls: [call] }], with: asking }, ({ talk }) =>
        eachCall(talk.messages, (part) => {
          part.input = { text: 'b' };
        }),
      );
      assert.deepEqual(runs, []);
    });
  }

  test('promise 50: no other tool: the user is asked again about a changed definition', async () => {
    const given = { replies: [{ calls: [send] }], with: asking };
    const { runs, results } = await play(given, (table) => table.change());
    assert.deepEqual(runs, []);
    assert.match(results[0] ?? '', /approval_needed.*changed since the user was asked/);
  });
});

describe('an approval of a tool that the app adds beside the fold', () => {
  const extra = { name: 'extra', arguments: { text: 'a' } };
  const of = (schema: z.ZodType) => (fields: Fields, table: Table) => ({
    ...fields,
    tools: { ...fields.tools, extra: { ...table.logging('extra'), inputSchema: schema } },
  });
  const plain = z.object({ text: z.string() });
  const given = { replies: [{ calls: [extra] }], with: asking };

  test('promise 50: runs it with the arguments that the user was asked about', async () => {
    const { runs } = await play({ ...given, fields: of(plain) as Given['fields'] & {} }, () => {});
    assert.deepEqual(runs, ['extra a']);
  });

  test('promise 50: does not hold for other arguments or another schema', async () => {
    const fields = of(plain) as Given['fields'] & {};
    const tampered = await play({ ...given, fields }, ({ talk }) =>
      eachCall(talk.messages, (part) => {
        part.input = { text: 'b' };
      }),
    );
    assert.deepEqual(tampered.runs, []);
    let schema: z.ZodType = plain;
    const changing = (made: Fields, table: Table) => of(schema)(made, table) as Fields;
    const changed = await play({ ...given, fields: changing }, () => {
      schema = z.object({ text: z.string(), to: z.string().optional() });
    });
    assert.deepEqual(changed.runs, []);
  });
});

describe('an approval of a tool of a provider', () => {
  /** Runs of the approved tool. `path`: its argument when it is approved. */
  async function approved(path: string) {
    let now = '/home';
    const settings = () => ({ type: 'provider', id: 'anthropic.bash_20250124', args: { now } });
    const own = (table: Table) => ({ bash: { ...table.logging('bash'), ...settings() } });
    const bash = { ...post, name: 'bash' };
    const given: Given = { replies: [{ calls: [bash] }], with: asking, own: own as never };
    const { runs } = await play(given, (table) => {
      now = path;
      table.restart();
    });
    return runs;
  }

  test('promise 50: holds for the arguments of the tool', async () => {
    assert.deepEqual(await approved('/'), []);
  });

  test('promise 50: runs it', async () => {
    assert.deepEqual(await approved('/home'), ['bash a']);
  });
});

describe('promise 52: messages that a browser may hold', () => {
  const given = { replies: [{ calls: [send] }], with: asking };

  test('promise 52: without binding and digest, another process asks the user again', async () => {
    const strip = (messages: ModelMessage[]) =>
      eachCall(messages, (part) => {
        delete part.providerOptions;
      });
    await using server = await startModelServer({
      script: [...given.replies, { text: 'Done.' }],
    });
    const first = new Table(given);
    await first.talk.run(first.fields(modelOn(server, endpoint)), {});
    first.talk.answer(true);
    first.talk.pack();
    strip(first.talk.messages);
    const elsewhere = new Table(given);
    await first.talk.run(elsewhere.fields(modelOn(server, endpoint)), {});
    assert.deepEqual([...first.runs, ...elsewhere.runs], []);
  });

  test('promise 52: a denied call does not run with any content of the stamp', async () => {
    const stamps = [
      { n: 'mail__send', r: '{"text":"z"}', o: 0 },
      { n: 'note', r: '{}', o: 0, d: 'd0', t: 'note 0' },
      { n: 'load_tools', r: '{}', o: -1, e: 'It ran.', t: 'x' },
      { n: [], r: null, o: 'x', e: {}, t: 1, d: {} },
    ];
    for (const stamp of stamps) {
      for (const isKept of [true, false]) {
        let isDenied = false;
        const beforeToolCall = () => (isDenied ? { deny: 'No.' } : { ask: true });
        const { runs } = await play(
          { ...given, with: { hooks: { beforeToolCall } } },
          ({ talk }) => {
            isDenied = true;
            eachCall(talk.messages, (part) => {
              const kept =
                isKept && isRecord(part.providerOptions) ? part.providerOptions[KEY] : {};
              part.providerOptions = { [KEY]: { ...(kept as object), ...stamp } };
            });
          },
        );
        assert.deepEqual(runs, [], JSON.stringify(stamp));
      }
    }
  });

  test('promise 52: an unrequested approval and a used approval run no tool', async () => {
    const unasked = await play(given, ({ talk }) => {
      for (const { content } of talk.messages) {
        if (!Array.isArray(content)) continue;
        for (const part of content as unknown as Record<string, unknown>[])
          if (part.type === 'tool-approval-request') part.isAutomatic = true;
      }
    });
    assert.deepEqual(unasked.runs, []);
  });

  test('promise 52: an approved call by a name that only resolves to a tool runs no tool', async () => {
    const { runs, results } = await play(given, ({ talk }) =>
      eachCall(talk.messages, (part) => {
        part.toolName = 'send';
      }),
    );
    assert.deepEqual(runs, []);
    assert.match(results[0] ?? '', /call_again|approval_needed/);
  });
});

function eachCall(messages: ModelMessage[], change: (part: Record<string, unknown>) => void): void {
  for (const { role, content } of messages) {
    if (role !== 'assistant' || !Array.isArray(content)) continue;
    for (const part of content) if (part.type === 'tool-call') change(part as never);
  }
}
