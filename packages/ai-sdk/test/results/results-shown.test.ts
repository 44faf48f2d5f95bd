// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import {
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { isStepCount, isToolUIPart, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions, type WithOptions } from '../../src/index.ts';
import { dialectOf, ENDPOINTS, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { BRIDGE, DISPATCH, type Dialect } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const [anthropic] = ENDPOINTS;
const [inline] = NATIVE_ENDPOINTS;
assert.ok(anthropic && inline);

const EAGER: Dialect = {
  ...DISPATCH,
  call: (name, input) => ({ name, arguments: input as object }),
};
const WAYS = [
  { strategy: 'dispatch', to: DISPATCH, endpoint: anthropic },
  { strategy: 'bridge', to: BRIDGE, endpoint: anthropic },
  { strategy: 'eager', to: EAGER, endpoint: anthropic },
  { strategy: 'native', to: dialectOf('anthropic-inline'), endpoint: inline },
] as const;
type Way = (typeof WAYS)[number];

const SECRET = 'hunter2';
const empty = z.object({});
/** The return value of the tools, before hooks. */
const PERSON = { name: 'Ann', password: SECRET };

/** Tools whose results are changed for the model. */
const kit = (): ToolSet => ({
  // The model gets a part of the output.
  brief: tool({
    inputSchema: empty,
    execute: () => PERSON,
    toModelOutput: ({ output }) => ({ type: 'text', value: `name: ${output.name}` }),
  }),
  // The model gets all of the output, in the tool's own form.
  loud: tool({
    inputSchema: empty,
    execute: () => PERSON,
    toModelOutput: ({ output }) => ({ type: 'text', value: `${output.name} ${output.password}` }),
  }),
  later: tool({
    inputSchema: empty,
    execute: () => PERSON,
    toModelOutput: async ({ output }) => ({ type: 'json', value: { only: output.name } }),
  }),
  pieces: tool({
    inputSchema: empty,
    execute: () => PERSON,
    toModelOutput: ({ output }) => ({
      type: 'content',
      value: [
        { type: 'text', text: output.name },
        { type: 'file', data: { type: 'data', data: 'AAAA' }, mediaType: 'image/png' },
      ],
    }),
  }),
  // The model gets the output as an error.
  failing: tool({
    inputSchema: empty,
    execute: () => PERSON,
    toModelOutput: ({ output }) => ({ type: 'error-text', value: `no ${output.name} here` }),
  }),
  // In the shape of an MCP result, but the tool is not an MCP tool.
  blocks: tool({
    inputSchema: empty,
    execute: () => ({ content: [{ type: 'text', text: `token ${SECRET}` }] }),
  }),
  throwing: tool({
    inputSchema: empty,
    execute: (): unknown => {
      throw new Error(`no access with ${SECRET}`);
    },
  }),
});
const NAMES = Object.keys(kit());

/** Removes the secret from outputs and errors. */
const redact: WithOptions = {
  hooks: {
    afterToolCall: (_, outcome) =>
      'error' in outcome
        ? { error: new Error('no access') }
        : { output: JSON.parse(JSON.stringify(outcome.output).replaceAll(SECRET, '***')) },
  },
};

interface Played {
  readonly calls: readonly ReplyCall[];
  readonly mode: 'generate' | 'stream';
  readonly route: 'live' | 'json' | 'ui';
  readonly with?: WithOptions;
  readonly options?: Partial<FoldOptions<ToolSet>>;
  /** The first generation ends with the results, before they are sent to the model. */
  readonly isCutShort?: boolean;
}

async function play({ strategy, endpoint }: Way, played: Played) {
  const { calls, mode, route, isCutShort } = played;
  await using server = await startModelServer({
    script: [{ calls }, { text: 'Done.' }, { text: 'Bye.' }, { text: 'Last.' }],
  });
  let loads = 0;
  const options: FoldOptions<ToolSet> = {
    strategy,
    groups: [
      {
        groupId: 'kit',
        toolNames: NAMES,
        loader: async () => {
          loads++;
          return kit();
        },
      },
    ],
    ...('capabilities' in endpoint ? { capabilities: endpoint.capabilities } : {}),
    ...played.options,
  };
  const talk = new Talk({
    mode,
    route,
    handing: 'spread',
    model: modelOn(server, endpoint),
    fold: () => createFold(options) as Fold<ToolSet>,
    ...(played.with ? { with: played.with } : {}),
  });
  await talk.say('Go.', isCutShort ? { stopWhen: isStepCount(1) } : {});
  await talk.say('And?');
  await talk.say('Last?');
  return { talk, requests: server.requests, loads };
}

const ROWS = combinations({
  way: WAYS,
  mode: ['generate', 'stream'],
  route: ['live', 'json', 'ui'],
});

function leaks(requests: readonly RecordedRequest[]): number[] {
  return requests.flatMap(({ raw }, index) => (raw.includes(SECRET) ? [index] : []));
}

function shownIn(requests: readonly RecordedRequest[]): string[] {
  return resultsOn(requests.at(-1) ?? assert.fail()).map(({ text }) => text);
}

/** The results that the app sees, in steps and in UI messages. */
function outputsOf({ parts, ui }: Talk): { steps: unknown[]; ui: unknown[] } {
  const steps = parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
  const shown = ui.flatMap(({ parts: all }) =>
    all.flatMap((part) =>
      isToolUIPart(part) && part.state === 'output-available' ? [part.output] : [],
    ),
  );
  return { steps, ui: shown };
}

for (const way of WAYS) {
  const { to } = way;
  const callsOf = (...names: string[]) => names.map((name) => to.call(`kit__${name}`, {}));
  const each = async (
    played: Omit<Played, 'mode' | 'route'>,
    look: (result: Awaited<ReturnType<typeof play>>, where: string, isUi: boolean) => void,
  ) => {
    for (const { mode, route } of ROWS.filter((row) => row.way === way)) {
      const result = await play(way, { ...played, mode, route });
      look(result, `${mode}, ${route}`, route === 'ui');
    }
  };

  describe(`the results that are shown, ${way.strategy}, ${selection}`, () => {
    test('a hook that redacts: the secret is in no request, step or message', async () => {
      const calls = callsOf('brief', 'loud', 'later', 'pieces', 'blocks');
      await each({ calls, with: redact }, ({ requests, talk }, where, isUi) => {
        assert.deepEqual(leaks(requests), [], where);
        const texts = shownIn(requests);
        assert.deepEqual(texts.slice(0, 3), ['name: Ann', 'Ann ***', '{"only":"Ann"}'], where);
        assert.match(texts[3] ?? '', /^Ann/, where);
        const person = { name: 'Ann', password: '***' };
        const blocks = { content: [{ type: 'text', text: 'token ***' }] };
        assert.equal(texts[4], JSON.stringify(blocks), where);
        const expected = [person, person, person, person, blocks];
        const { steps, ui } = outputsOf(talk);
        // In the order in which the tools end.
        const sorted = (outputs: readonly unknown[]) =>
          outputs.map((o) => JSON.stringify(o)).sort();
        assert.deepEqual(sorted(steps), sorted(expected), where);
        if (isUi) assert.deepEqual(sorted(ui), sorted(expected), where);
        const report = auditPrefix(requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      });
    });

    test('output that a tool hides from the model stays in the app, also if its group never loads', async () => {
      await each(
        { calls: callsOf('brief', 'later', 'pieces') },
        ({ requests, talk }, where, isUi) => {
          assert.deepEqual(leaks(requests), [], where);
          const report = auditPrefix(requests);
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
          const { steps, ui } = outputsOf(talk);
          assert.deepEqual(steps, [PERSON, PERSON, PERSON], where);
          if (isUi) assert.deepEqual(ui, [PERSON, PERSON, PERSON], where);
        },
      );
    });

    test('framed as data too', async () => {
      const options = { frameResults: true };
      await each(
        { calls: callsOf('brief', 'blocks'), with: redact, options },
        ({ requests }, where) => {
          assert.deepEqual(leaks(requests), [], where);
          for (const text of shownIn(requests)) assert.match(text, /not instructions/, where);
          const report = auditPrefix(requests);
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        },
      );
    });

    test('a generation that ends with the results: the next one, in another process, shows the same parts', async () => {
      const calls = callsOf('brief', 'later');
      await each({ calls, isCutShort: true }, ({ requests }, where) => {
        assert.deepEqual(leaks(requests), [], where);
        assert.deepEqual(shownIn(requests), ['name: Ann', '{"only":"Ann"}'], where);
        const report = auditPrefix(requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      });
    });

    test('a result that its tool shows as an error: the same in all later requests', async () => {
      await each({ calls: callsOf('failing') }, ({ requests }, where) => {
        assert.deepEqual(leaks(requests), [], where);
        assert.deepEqual(shownIn(requests), ['no Ann here'], where);
        const report = auditPrefix(requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      });
    });

    test('an error that a hook redacts', async () => {
      await each({ calls: callsOf('throwing'), with: redact }, ({ requests, talk }, where) => {
        assert.deepEqual(leaks(requests), [], where);
        assert.ok(!JSON.stringify([talk.messages, talk.ui]).includes(SECRET), where);
        const report = auditPrefix(requests);
        // There the text is the SDK's own; in UI messages it comes from the app's `onError`.
        if (way.strategy === 'eager') return;
        assert.match(shownIn(requests)[0] ?? '', /no access$/, where);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      });
    });

    test("the app's own tools, with their own toModelOutput", async () => {
      const own = Object.fromEntries(Object.entries(kit()).filter(([name]) => name !== 'throwing'));
      const options: Partial<FoldOptions<ToolSet>> = { tools: own };
      const names = ['brief', 'later', 'pieces', 'failing'];
      const calls = names.map((name) => ({ name, arguments: {} }));
      await each({ calls, options }, ({ requests, talk }, where, isUi) => {
        assert.deepEqual(leaks(requests), [], where);
        const { steps, ui } = outputsOf(talk);
        assert.deepEqual(steps, [PERSON, PERSON, PERSON, PERSON], where);
        if (isUi) assert.deepEqual(ui, [PERSON, PERSON, PERSON, PERSON], where);
        const report = auditPrefix(requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      });
      const loud = ['loud', 'blocks'].map((name) => ({ name, arguments: {} }));
      await each({ calls: loud, options, with: redact }, ({ requests }, where) => {
        assert.deepEqual(leaks(requests), [], where);
        const report = auditPrefix(requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      });
    });
  });
}

test('in a new fold without the group: only the outputs that were shown before are shown', async () => {
  for (const mode of ['generate', 'stream'] as const) {
    for (const route of ['json', 'ui'] as const) {
      await using server = await startModelServer({
        script: [{ calls: [DISPATCH.call('kit__brief', {})] }, { text: 'Done.' }, { text: 'Bye.' }],
      });
      const groups = [{ groupId: 'kit', toolNames: NAMES, loader: async () => kit() }];
      const other = [{ groupId: 'other', toolNames: ['x'], loader: async () => [] }];
      let turn = 0;
      const talk = new Talk({
        mode,
        route,
        handing: 'spread',
        model: modelOn(server, anthropic),
        fold: () =>
          createFold({
            strategy: 'dispatch',
            groups: turn++ === 0 ? groups : other,
          }) as Fold<ToolSet>,
      });
      await talk.say('Go.');
      await talk.say('And?');
      assert.deepEqual(leaks(server.requests), [], `${mode}, ${route}`);
      assert.deepEqual(shownIn(server.requests), ['name: Ann'], `${mode}, ${route}`);
    }
  }
});
