import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, jsonSchema, type ToolSet, tool } from 'ai';
import { createFold, type FoldOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[1] ?? assert.fail();

/** The object of a schema, and the values that it accepts. */
interface Schema {
  readonly content: Record<string, unknown>;
  accept(...values: string[]): void;
}

const CHANGES: Readonly<Record<string, () => Schema>> = {
  'whose list of values changes': () => {
    const values: string[] = [];
    return {
      content: { type: 'object', properties: { team: { enum: values } }, required: ['team'] },
      accept: (...given) => void values.splice(0, values.length, ...given),
    };
  },
  'that is frozen, and gets other properties inside': () => {
    const properties: Record<string, unknown> = {};
    return {
      content: Object.freeze({ type: 'object', properties, required: ['team'] }),
      accept: (...given) => void Object.assign(properties, { team: { enum: given } }),
    };
  },
  'whose properties are replaced': () => {
    const content: Record<string, unknown> = { type: 'object', required: ['team'] };
    return {
      content,
      accept: (...given) => void Object.assign(content, { properties: { team: { enum: given } } }),
    };
  },
};

type Tools = Pick<FoldOptions<ToolSet>, 'tools' | 'groups'>;
const execute = async (input: unknown) => ({ found: input });

/** The tools of each fold, which hold the same object. */
const OWNERS: Readonly<Record<string, (schema: Schema) => () => Tools>> = {
  'an own tool': ({ content }) => {
    const inputSchema = jsonSchema(content);
    return () => ({ tools: { find: tool({ inputSchema, execute }) as never } });
  },
  'an own tool that is the same object': ({ content }) => {
    const find = tool({ inputSchema: jsonSchema(content), execute });
    return () => ({ tools: { find: find as never } });
  },
  'an own tool with a plain Standard Schema': ({ content }) => {
    const validate = (value: unknown) => {
      const { properties } = content as { properties: { team: { enum: unknown[] } } };
      const [team] = Object.values(value as object);
      return properties.team.enum.includes(team)
        ? { value }
        : { issues: [{ message: `invalid_arguments ${properties.team.enum}` }] };
    };
    const input = () => structuredClone(content);
    const inputSchema = {
      '~standard': { version: 1, vendor: 'app', validate, jsonSchema: { input } },
    } as never;
    return () => ({ tools: { find: tool({ inputSchema, execute }) as never } });
  },
  'the tool of a group': ({ content }) => {
    const loader = async () => [{ name: 'find', inputSchema: content, execute }];
    return () => ({ groups: [{ groupId: 'crm', toolNames: ['find'], prefix: false, loader }] });
  },
  'the same object of a group': ({ content }) => {
    const tools = [{ name: 'find', inputSchema: content, execute }];
    const loader = async () => tools;
    return () => ({ groups: [{ groupId: 'crm', toolNames: ['find'], prefix: false, loader }] });
  },
};

/** The result of a call of `find` for a team. `accepted`: what the schema accepts now. */
async function found(
  tools: Tools,
  strategy: 'eager' | 'dispatch',
  accepted: string,
  team: string,
): Promise<string> {
  const call =
    strategy === 'eager'
      ? { name: 'find', arguments: { team } }
      : { name: 'deferred_tool_call', arguments: { tool_name: 'find', arguments: { team } } };
  await using server = await startModelServer({ script: [{ calls: [call] }, { text: 'Done.' }] });
  const fold = createFold<ToolSet>({ ...tools, strategy });
  const fields = fold.with(modelOn(server, endpoint));
  await generateText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(2) });
  const [first, last] = server.requests;
  if (strategy === 'eager') assert.match(first?.raw ?? '', new RegExp(`enum":\\["${accepted}"`));
  return resultsOn(last ?? assert.fail())[0]?.text ?? assert.fail();
}

describe('an object of a schema that changes between two folds', () => {
  for (const strategy of ['eager', 'dispatch'] as const)
    for (const [owner, toolsOf] of Object.entries(OWNERS))
      for (const [change, make] of Object.entries(CHANGES))
        test(`${strategy}, ${owner}, ${change}: each fold checks by its own content`, async () => {
          const schema = make();
          const tools = toolsOf(schema);
          // The AI SDK does not check arguments by the `jsonSchema()` of a declared tool.
          const checks = strategy === 'dispatch' || owner.includes('group');
          for (const [accepted, other] of [
            ['ada', 'bob'],
            ['bob', 'ada'],
            ['ada', 'bob'],
          ] as const) {
            schema.accept(accepted);
            assert.match(await found(tools(), strategy, accepted, accepted), /"found"/);
            const refused = await found(tools(), strategy, accepted, other);
            if (!checks) continue;
            assert.match(refused, /invalid_arguments/);
            assert.match(refused, new RegExp(accepted));
            // The error of a validator may repeat what was given.
            assert.doesNotMatch(refused.replace(/Value: .*?\./, ''), new RegExp(other));
          }
        });

  test('a loader that returns the same objects again with another content', async () => {
    const schema = CHANGES['whose properties are replaced']?.() ?? assert.fail();
    const tools = [{ name: 'find', inputSchema: schema.content, execute }];
    const group = { groupId: 'crm', toolNames: ['find'], loader: async () => tools };
    schema.accept('ada');
    const call = (team: string) => ({
      calls: [
        {
          name: 'deferred_tool_call',
          arguments: { tool_name: 'crm__find', arguments: { team } },
        },
      ],
    });
    const script = [call('ada'), { text: 'Done.' }, call('bob'), { text: 'Done.' }];
    await using server = await startModelServer({ script });
    const fold = createFold<ToolSet>({ groups: [group], strategy: 'dispatch' });
    const fields = fold.with(modelOn(server, endpoint));
    const results: string[] = [];
    for (const fingerprint of ['2', '3']) {
      await generateText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(2) });
      results.push(resultsOn(server.requests.at(-1) ?? assert.fail())[0]?.text ?? '');
      schema.accept('bob');
      fold.update([{ ...group, fingerprint }]);
    }
    for (const text of results) assert.match(text, /"found"/);
  });
});
