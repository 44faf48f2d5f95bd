import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  createAgent,
  createInProcessEngine,
  createSubagents,
  createWorker,
} from '../packages/agent/src/index.ts';
import * as sessions from '../packages/agent/src/sessions.ts';
import { createFold } from '../packages/ai-sdk/src/index.ts';
import { estimate, measure } from '../packages/core/src/estimate.ts';
import { createToolLayer, resumeState, ToolfoldError } from '../packages/core/src/index.ts';
import { lexical as createLexicalSearch } from '../packages/core/src/search.ts';
import { hybrid, searchWithVectors } from '../packages/core/src/vectors.ts';
import * as mcp from '../packages/mcp/src/index.ts';
import { postgresStore } from '../packages/postgres/src/index.ts';
import * as testing from '../packages/testing/src/index.ts';
import { root } from './tree.ts';

type Call = (odd: never) => unknown;

const layer = createToolLayer();
const fold = createFold();
const model = 'a/b';
const entry = { kind: 'http', url: new URL('http://127.0.0.1/'), headers: {} } as never;
const config = { servers: new Map(), settings: undefined };
const server = { instructions: undefined, tools: [] } as never;

/** Each function of an app that takes options, called with the ones that are given here. */
const WITH_OPTIONS: Readonly<Record<string, Call>> = {
  createToolLayer: (odd) => createToolLayer(odd),
  estimate: (odd) => estimate(layer, {} as never, odd),
  measure: (odd) => measure(layer, odd),
  hybrid: (odd) => hybrid(odd),
  createFold: (odd) => createFold(odd),
  'fold.with': (odd) => fold.with(model, odd),
  'fold.with, hooks': (hooks) => fold.with(model, { hooks }),
  createAgent: (odd) => createAgent(Object.assign(odd, { model, fold })),
  'createAgent, hooks': (hooks) => createAgent({ model, fold, hooks }),
  'createAgent, settings': (settings) => createAgent({ model, fold, settings }),
  createSubagents: (odd) => createSubagents(odd),
  createWorker: (odd) => createWorker(odd),
  createInProcessEngine: (odd) => createInProcessEngine(async () => assert.fail(), odd),
  createSession: (odd) => sessions.createSession(sessions.memoryStore(), odd),
  importSession: (odd) => sessions.importSession(sessions.memoryStore(), [] as never, odd),
  sqliteStore: (odd) => sessions.sqliteStore(odd),
  postgresStore: (odd) => postgresStore(odd),
  checkSessions: (odd) => sessions.checkSessions(odd),
  readConfig: (odd) => mcp.readConfig('a', odd),
  parseConfig: (odd) => mcp.parseConfig('a', '{}', odd),
  findConfigs: (odd) => mcp.findConfigs(odd),
  loadFoundConfigs: (odd) => mcp.loadFoundConfigs(odd),
  resumeState: (odd) => resumeState([], {} as never, odd),
  createLexicalSearch: (odd) => createLexicalSearch(odd),
  lexical: (odd) => createLexicalSearch(odd),
  searchWithVectors: (odd) => searchWithVectors(odd),
  createPromptCache: (odd) => testing.createPromptCache(odd),
  createServerPool: (odd) => mcp.createServerPool(config, odd),
  connectServers: (odd) => mcp.connectServers(config, odd),
  followConfig: (odd) => mcp.followConfig({ update: async () => {} }, odd),
  manifestFiles: (odd) => mcp.manifestFiles(odd),
  toGroup: (odd) => mcp.toGroup('a', server, odd),
  login: (odd) => mcp.login('a', entry, odd),
  finishLogin: (odd) => mcp.finishLogin('a', entry, {} as never, odd),
  logout: (odd) => mcp.logout('a', entry, odd),
  authProviderFor: (odd) => mcp.authProviderFor('a', entry, odd),
  auditPrefix: (odd) => testing.auditPrefix([], odd),
  fakeGroup: (odd) => testing.fakeGroup(odd),
  fakeTool: (odd) => testing.fakeTool(1, odd),
  recordFetch: (odd) => testing.recordFetch(() => {}, odd),
  startMcpServer: (odd) => testing.startMcpServer(odd),
  startModelServer: (odd) => testing.startModelServer(odd),
};

/** The other functions, and why no name of an option can be wrong. */
const OTHERS: Readonly<Record<string, string>> = {
  'no options':
    'ToolfoldError isBridgePart estimateTokens loadVectors readVectors stepMessages canLogIn loginNeeded toUnavailableGroup readCaptures saveCapture modelFromName narrowedChoiceOf acceptedToolsOf hasStrictTurns isOptionOf resultFilesOf nativeFormsOf nativeRowOf pricesOf approvalScopes createRecall eventsOf inboxMessage openEvents preloadBy rolesWith screenOf exportSession forkSession isLeaseFree linesOf memoryStore newOwner openSession thisMoment blocksOf cachingOf hideSecrets countBody fakeTools formatAuditReport',
  'data, which is read as it is':
    'estimateCost categoriesWith createRouter createScreen storeCases',
};

suite('names of options', () => {
  test('each public function is in the table', () => {
    const exported: Record<string, string[]> = JSON.parse(
      readFileSync(join(root, 'test/exports.json'), 'utf8'),
    );
    const listed = new Set([
      ...Object.keys(WITH_OPTIONS),
      ...Object.values(OTHERS).flatMap((names) => names.split(' ')),
    ]);
    const missing = Object.values(exported)
      .flat()
      .filter((name) => !/^[A-Z_]+$/.test(name) && !listed.has(name));
    assert.deepEqual(missing, []);
  });

  for (const [name, call] of Object.entries(WITH_OPTIONS))
    test(`${name}: an unknown one is refused`, async () => {
      await assert.rejects(
        async () => call({ surprise: 1 } as never),
        (error) => {
          assert.ok(error instanceof ToolfoldError, String(error));
          assert.equal(error.code, 'invalid-option');
          assert.match(error.message, /option ".*surprise"/);
          return true;
        },
      );
    });

  test('what the agent sets itself is refused in words', () => {
    for (const name of ['stopWhen', 'prepareStep', 'toolApproval', 'tools', 'instructions'])
      assert.throws(() => createAgent({ model, fold, settings: { [name]: [] } as never }), {
        code: 'invalid-option',
        message: new RegExp(`^\`settings\\.${name}\` has no effect here`),
      });
  });

  test('hooks of fold.with are functions or lists of functions', () => {
    for (const hook of ['deny', [() => undefined, 'deny'], {}, null, 1])
      for (const name of ['beforeToolCall', 'afterToolCall', 'resolveToolCall'])
        assert.throws(() => fold.with(model, { hooks: { [name]: hook } as never }), {
          code: 'invalid-option',
        });
    fold.with(model, { hooks: { beforeToolCall: [], afterToolCall: undefined } });
  });
});
