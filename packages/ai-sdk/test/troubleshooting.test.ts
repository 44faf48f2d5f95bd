import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type LanguageModel, type ModelMessage, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions } from '../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from './endpoints.test-support.ts';

const page = readFileSync(
  new URL('../../../docs/troubleshooting.md', import.meta.url),
  'utf8',
).replaceAll(/\s+/g, ' ');
const endpoint = ENDPOINTS.find(({ provider }) => provider === 'anthropic') as Endpoint;

const named = z.object({ name: z.string() });
const find = tool({ description: 'Finds a customer.', inputSchema: named, execute: () => 'Ada' });
const remove = tool({ inputSchema: named, execute: () => 'gone', needsApproval: true });
const tools = { find, remove };
type Tools = typeof tools;

const done: Reply = { text: 'Done.' };
const load: Reply = {
  calls: [{ name: 'load_tools', arguments: { group_id: 'app', tool_names: ['find'] } }],
};
const dispatched = (name: string): Reply => ({
  calls: [
    { name: 'deferred_tool_call', arguments: { tool_name: name, arguments: { name: 'Ada' } } },
  ],
});
// An id that no other call of this process has, as with real providers.
const direct: Reply = { calls: [{ id: 'toolu_direct', name: 'find', arguments: { name: 'Ada' } }] };

type Given = Parameters<typeof generateText>[0];

/** Plays one turn. Resolves to the texts of its content and warnings, and to what the provider got. */
async function play(
  script: readonly Reply[],
  fieldsOf: (fold: Fold<Tools>, model: LanguageModel) => object,
  options: FoldOptions<Tools> = {},
) {
  await using server = await startModelServer({ script: [...script] });
  const warnings: string[] = [];
  const onWarning = (text: string) => warnings.push(text);
  const fold = createFold({ tools, strategy: 'dispatch', onWarning, ...options });
  const model = modelOn(server, endpoint);
  const given = { prompt: 'Go.', stopWhen: isStepCount(4), ...fieldsOf(fold, model) };
  const { steps } = await generateText(given as Given);
  const content = steps.flatMap((step) => step.content);
  const said = content.map((part) =>
    part.type === 'tool-error' ? String(part.error) : JSON.stringify(part),
  );
  return { fold, model, content, warnings, said: said.join('\n'), requests: [...server.requests] };
}

/** The page names the text, and it appears. */
function assertNamed(text: string, where: string): void {
  assert.ok(page.includes(text), `The page does not name: ${text}`);
  assert.ok(where.includes(text), where);
}

describe('each symptom of the page on troubleshooting', () => {
  test('every schema is still sent', async () => {
    const { fold, model } = await play([done], (fold, model) => fold.with(model), {
      strategy: 'auto',
    });
    assertNamed('every schema is sent', fold.explain(model).reason);
    assertNamed('asked for', fold.explain(model, { strategy: 'eager' }).reason);
  });

  test('a load is shown, and deferred_tool_call is only on the wire', async () => {
    const { content, requests } = await play([load, dispatched('find'), done], (fold, model) =>
      fold.with(model),
    );
    const calls = content.filter((part) => part.type === 'tool-call');
    assert.deepEqual(
      calls.map(({ toolName }) => toolName),
      ['load_tools', 'find'],
    );
    assert.match(requests.at(-1)?.raw ?? '', /"name":"deferred_tool_call"/);
  });

  test('deferred_tool_call reaches the app, and prepareStep turned deferral off', async () => {
    const behind = await play([dispatched('find'), done], (fold, model) => ({
      ...fold.with(model),
      model,
    }));
    assert.match(behind.said, /"toolName":"deferred_tool_call"/);
    const later = await play([dispatched('find'), direct, done], (fold, model) => ({
      ...fold.with(model),
      prepareStep: ({ stepNumber }: { stepNumber: number }) => (stepNumber > 0 ? { model } : {}),
    }));
    for (const { warnings } of [behind, later])
      assertNamed('was called by a model that Toolfold does not see', warnings.join('\n'));
  });

  test('there is no tool of this name', async () => {
    const unknown = await play([dispatched('fnd'), done], (fold, model) => fold.with(model));
    assertNamed('unknown_tool', unknown.said);
    assertNamed('There is no tool of this name', unknown.warnings.join('\n'));
    const inactive = await play([dispatched('find'), done], (fold, model) => ({
      ...fold.with(model),
      activeTools: ['remove'],
    }));
    assertNamed('tool_not_active', inactive.said);
  });

  test('nothing matches', async () => {
    const search: Reply = { calls: [{ name: 'tool_search', arguments: { query: 'xyzzyqq' } }] };
    const found = await play([search, done], (fold, model) => fold.with(model), {
      strategy: 'bridge',
    });
    assertNamed('Nothing matches', found.said);
  });

  test('approvals are not asked', async () => {
    const { warnings, said } = await play([dispatched('remove'), done], (fold, model) => ({
      ...fold.with(model, { toolApproval: { remove: 'user-approval' } }),
      toolApproval: { remove: 'approved' },
    }));
    assertNamed('approval_needed', said);
    assertNamed('`toolApproval` of `fold.with` is not in use', warnings.join('\n'));
  });

  test('nothing is read from the cache, and the prefix broke', async () => {
    await using server = await startModelServer({ script: Array(4).fill(done) });
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const fold = createFold({ tools, strategy: 'dispatch', onWarning });
    const fields = fold.with(modelOn(server, endpoint));
    const messages: ModelMessage[] = [];
    for (let turn = 0; turn < 4; turn++) {
      messages.push({ role: 'user', content: `${turn} ${'word '.repeat(3_000)}` });
      const system = `It is ${turn} o'clock.`;
      const { responseMessages, usage } = await generateText({ ...fields, system, messages });
      messages.push(...responseMessages);
      assert.equal(usage.inputTokenDetails.cacheReadTokens, 0);
    }
    assertNamed('has read nothing', warnings.join('\n'));
    assertNamed('The prefix broke', formatAuditReport(auditPrefix(server.requests)));
  });
});
