import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAgent } from '@toolfold/agent';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type FoldOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';

const endpoint = ENDPOINTS[1] ?? assert.fail();

/** The user of the present request. */
let user = '';

/** One schema of a process, which describes itself in another way for each user. */
const SCHEMAS: Readonly<Record<string, { schema: z.ZodType; before?: () => void }>> = {
  default: { schema: z.object({ owner: z.string().default(() => user) }) },
  catch: { schema: z.object({ owner: z.string().catch(() => user) }) },
  prefault: { schema: z.object({ owner: z.string().prefault(() => user) }) },
  'default of a whole object': {
    schema: z.object({ filter: z.object({ owner: z.string() }).default(() => ({ owner: user })) }),
  },
  'default inside a list': {
    schema: z.object({ filters: z.array(z.object({ owner: z.string().default(() => user) })) }),
  },
  'default behind a lazy schema': {
    schema: z.object({ filter: z.lazy(() => z.object({ owner: z.string().default(() => user) })) }),
  },
  'getter in meta': {
    schema: z.object({
      owner: z.string().meta({
        get description() {
          return `Usually ${user}.`;
        },
      }),
    }),
  },
  ...registered(),
  ...mutated(),
};

function registered(): typeof SCHEMAS {
  const owner = z.string();
  const before = () => void z.globalRegistry.add(owner, { description: `Usually ${user}.` });
  return { 'global registry': { schema: z.object({ owner }), before } };
}

function mutated(): typeof SCHEMAS {
  const owner = z.enum(['nobody']);
  const before = () =>
    void Object.assign(owner.def.entries as Record<string, string>, { nobody: user });
  return { 'entries of an enum': { schema: z.object({ owner }), before } };
}

const execute = async () => 'ok';

type Send = (schema: z.ZodType, strategy: Strategy) => Promise<string>;
type Strategy = FoldOptions<ToolSet>['strategy'];
const STRATEGIES: readonly Strategy[] = ['auto', 'eager', 'dispatch', 'native', false];

/** The bytes that a user's requests have, with a model that loads the tool. */
async function sent(
  use: (model: ReturnType<typeof modelOn>) => Promise<unknown>,
  loads = true,
): Promise<string> {
  const load = [{ name: 'load_tools', arguments: { group_id: 'app', tool_names: ['find'] } }];
  const script = loads ? [{ calls: load }, { text: 'Done.' }] : [{ text: 'Done.' }];
  await using server = await startModelServer({ script });
  await use(modelOn(server, endpoint));
  return server.requests.map(({ raw }) => raw).join('\n');
}

const isDeferring = (strategy: Strategy) => strategy === 'dispatch' || strategy === 'native';

const SENDERS: Readonly<Record<string, Send>> = {
  'own tools of a fold': (inputSchema, strategy) =>
    sent(async (model) => {
      const fold = createFold<ToolSet>({
        tools: { find: tool({ inputSchema, execute }) },
        strategy,
      });
      await generateText({ ...fold.with(model), prompt: 'Go.', stopWhen: isStepCount(3) });
    }, isDeferring(strategy)),
  'the tools of a group': (inputSchema, strategy) =>
    sent(async (model) => {
      const loader = async (): Promise<ToolSet> => ({ find: tool({ inputSchema, execute }) });
      const groups = [
        { groupId: 'app2', toolNames: ['find'], loader, exposure: 'inline' as const },
      ];
      const fold = createFold<ToolSet>({ groups, strategy });
      await generateText({ ...fold.with(model), prompt: 'Go.', stopWhen: isStepCount(3) });
    }, false),
  'an agent': (inputSchema, strategy) =>
    sent(async (model) => {
      const tools = { find: tool({ inputSchema, execute }) };
      const agent = createAgent({ model, tools, strategy } as never);
      for await (const _ of agent.send('Go.'));
    }, isDeferring(strategy)),
};

describe('a schema that describes itself in another way for each user', () => {
  for (const [sender, send] of Object.entries(SENDERS))
    for (const strategy of STRATEGIES)
      for (const [name, { schema, before }] of Object.entries(SCHEMAS))
        test(`${sender}, ${strategy}, ${name}: each user gets the own value alone`, async () => {
          for (const [own, other] of [
            ['user-ada', 'user-bob'],
            ['user-bob', 'user-ada'],
            ['user-ada', 'user-bob'],
          ] as const) {
            user = own;
            before?.();
            const bytes = await send(schema, strategy);
            assert.match(bytes, new RegExp(own));
            assert.doesNotMatch(bytes, new RegExp(other));
          }
        });
});
