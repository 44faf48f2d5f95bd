import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, type ToolSet } from 'ai';
import { createFold, type FoldOptions, type WithOptions } from '../src/index.ts';
import { ENDPOINTS, modelOn } from './endpoints.test-support.ts';

const foldOptions: Record<keyof FoldOptions<ToolSet>, undefined> = {
  ...{ tools: undefined, groups: undefined, strategy: undefined, exposure: undefined },
  ...{ catalog: undefined, search: undefined, countTokens: undefined, names: undefined },
  ...{ limits: undefined, auto: undefined, loaderCache: undefined, patience: undefined },
  ...{ onToolsExpanded: undefined, onCall: undefined, onWarning: undefined, roles: undefined },
  ...{
    capabilities: undefined,
    prices: undefined,
    resultFiles: undefined,
    frameResults: undefined,
    hide: undefined,
  },
  ...{ maxResultLength: undefined, onRequest: undefined, loads: undefined, cache: undefined },
};
const withOptions: Record<keyof WithOptions, undefined> = {
  ...{ role: undefined, state: undefined, contextWindow: undefined, strategy: undefined },
  ...{ only: undefined, without: undefined, parent: undefined, execute: undefined },
  ...{ preload: undefined, notice: undefined, onRequest: undefined, onFallback: undefined },
  ...{ history: undefined, cache: undefined, images: undefined },
  ...{ onExecute: undefined, runWith: undefined, callHost: undefined, hooks: undefined },
  ...{ toolApproval: undefined, observers: undefined, onMismatch: undefined, loads: undefined },
};

test('an option that is undefined is the same as one that is left out', async () => {
  const script = [{ text: 'Hello.' }, { text: 'Hello.' }];
  await using server = await startModelServer({ script });
  const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
  const groups = [{ groupId: 'a', toolNames: ['b'], loader: async () => [] }];

  await generateText({
    ...createFold({ ...foldOptions, groups }).with(model, withOptions),
    prompt: 'Hi',
  });
  await generateText({ ...createFold({ groups }).with(model), prompt: 'Hi' });

  const [undefinedOnes, leftOut] = server.requests;
  assert.equal(undefinedOnes?.raw, leftOut?.raw);
});
