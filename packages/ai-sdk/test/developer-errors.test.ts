import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ToolfoldError, type ToolfoldErrorCode } from '@toolfold/core/internal/errors.ts';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import {
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  combinations,
  product,
  selected,
  selection,
} from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions } from '../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from './endpoints.test-support.ts';
import { BRIDGE, DISPATCH, type Dialect } from './scenarios.test-support.ts';
import { type Handing, type StepPart, Talk } from './talk.test-support.ts';
import { resultsOn } from './wire.test-support.ts';

const endpoint = ENDPOINTS[0] as Endpoint;
const DOWN = new Error('db down');
const TITLED = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
const titled = z.object({ title: z.string() });
const NOTE: ReplyCall = { name: 'note', arguments: { text: 'x' } };

const GROUPS: FoldOptions<ToolSet>['groups'] = [
  { groupId: 'db', toolNames: ['query'], loader: () => Promise.reject(DOWN) },
  {
    groupId: 'thin',
    toolNames: ['there', 'gone'],
    loader: async () => [{ name: 'there', inputSchema: TITLED, execute: () => 'ok' }],
  },
  {
    groupId: 'kit',
    toolNames: ['make_issue', 'guarded'],
    loader: async () => ({
      make_issue: tool({ inputSchema: titled, execute: () => 'ok' }),
      guarded: tool({ inputSchema: titled, needsApproval: true, execute: () => 'ok' }),
    }),
  },
];
/** Groups that do not list their tools. */
const SILENT: FoldOptions<ToolSet>['groups'] = [
  { groupId: 'blind', loader: () => Promise.reject(DOWN) },
  {
    groupId: 'open',
    loader: async () => [{ name: 'door', inputSchema: TITLED, execute: () => 'opened' }],
  },
];
const ALL_NAMES = ['db__query', 'thin__there', 'thin__gone', 'kit__make_issue', 'kit__guarded'];

interface Setting {
  readonly to: Dialect;
  readonly handing: Handing;
  readonly mode: 'generate' | 'stream';
  readonly route: 'live' | 'json' | 'ui';
  readonly groups?: FoldOptions<ToolSet>['groups'];
}

/** Plays these steps, then another turn of the user. */
async function play(
  { to, handing, mode, route, groups = GROUPS }: Setting,
  steps: ReplyCall[][],
  loads: 'model-call' | 'steps' = 'model-call',
) {
  const warnings: string[] = [];
  const events: CallEvent[] = [];
  let repairs = 0;
  const repair = async () => {
    repairs++;
    return null;
  };
  await using server = await startModelServer({
    script: [...steps.map((calls) => ({ calls })), { text: 'Done.' }, { text: 'Bye.' }],
  });
  const options: FoldOptions<ToolSet> = {
    strategy: to.strategy,
    loads,
    tools: { note: tool({ inputSchema: z.object({ text: z.string() }), execute: () => 'noted' }) },
    groups,
    onWarning: (text) => void warnings.push(text),
    onCall: (event) => void events.push(event),
  };
  const talk = new Talk({
    mode,
    route,
    handing,
    model: modelOn(server, endpoint),
    fold: () => createFold(options) as Fold<ToolSet>,
    with: {
      hooks: {
        beforeToolCall: ({ arguments: given }) =>
          given.title === 'no' ? { deny: 'Not now.' } : undefined,
      },
    },
    settings: { repairToolCall: repair },
  });
  await talk.say('Go.');
  await talk.say('And?');
  const report = auditPrefix(server.requests);
  const warned = warnings.filter((text) => !/has no toolNames|is not in use/.test(text));
  const { parts, errors, ui } = talk;
  return { parts, errors, ui, events, warned, repairs, report, requests: server.requests };
}

interface Case {
  readonly name: string;
  readonly call: (to: Dialect) => ReplyCall;
  /** The name that the app sees. */
  readonly seen: (to: Dialect) => string;
  /** The value of `error` that the model reads. */
  readonly error: string;
  readonly code: ToolfoldErrorCode;
  readonly cause?: unknown;
  /** The text that `onWarning` gets. */
  readonly warning?: RegExp;
  /** A copied tool set has no tool for the name. */
  readonly isStray?: true;
  /** After another call, the tool that has run gives the refusal: its group may have the name. */
  readonly mayCome?: true;
  /** The call is denied if the SDK uses `toolApproval` of the fold. */
  readonly isDenial?: true;
  /** The call fails only after another call. */
  readonly isOnlyLate?: true;
}

const CASES: readonly Case[] = [
  {
    name: 'a loader that throws',
    call: (to) => to.call('db__query', {}),
    seen: () => 'db__query',
    error: 'load_failed',
    code: 'loader-failed',
    cause: DOWN,
    warning: /^db__query: .*db down/,
  },
  {
    name: 'a loader that throws, called natively',
    call: () => ({ name: 'db__query', arguments: {} }),
    seen: () => 'db__query',
    error: 'load_failed',
    code: 'loader-failed',
    cause: DOWN,
    warning: /^db__query: .*db down/,
  },
  {
    name: 'a tool that the catalog promises and the loader does not return',
    call: (to) => to.call('thin__gone', {}),
    seen: () => 'thin__gone',
    error: 'tool_missing',
    code: 'unknown-tool',
    warning: /^thin__gone: thin is loaded but does not offer gone/,
  },
  {
    name: 'a name that nobody has',
    call: (to) => to.call('zzz_nothing', {}),
    seen: () => 'zzz_nothing',
    error: 'unknown_tool',
    code: 'unknown-tool',
    isStray: true,
  },
  {
    name: 'a misspelt name',
    call: (to) => to.call('kit__make_isue', { title: 'a' }),
    seen: () => 'kit__make_isue',
    error: 'unknown_tool',
    code: 'unknown-tool',
    isStray: true,
    mayCome: true,
  },
  {
    name: 'an envelope without a name',
    call: (to) => ({ name: to.dispatcher, arguments: { arguments: { title: 'a' } } }),
    seen: (to) => to.dispatcher,
    error: 'malformed_call',
    code: 'invalid-call',
  },
  {
    name: 'a bridge in a bridge',
    call: (to) => to.call('load_tools', { group_id: 'kit' }),
    seen: () => 'load_tools',
    error: 'bridge_in_bridge',
    code: 'invalid-call',
  },
  {
    name: 'a hook that denies',
    call: (to) => to.call('kit__make_issue', { title: 'no' }),
    seen: () => 'kit__make_issue',
    error: 'denied',
    code: 'call-denied',
    isDenial: true,
  },
  {
    name: 'approval needed too late',
    call: (to) => to.call('kit__guarded', { title: 'a' }),
    seen: () => 'kit__guarded',
    error: 'approval_needed',
    code: 'approval-needed',
    isOnlyLate: true,
  },
];

const DIALECTS = [DISPATCH, BRIDGE];
const WAYS = {
  handing: ['spread', 'copied', 'two fields'],
  mode: ['generate', 'stream'],
  route: ['live', 'json', 'ui'],
} as const;
const ALL = combinations({ to: DIALECTS, ...WAYS });
const ALONE = combinations({ to: DIALECTS, expected: CASES, ...WAYS });
/** Names that a copy lacks have a test of their own. */
const BEHIND = selected(
  product({ to: DIALECTS, expected: CASES, ...WAYS }).filter(
    ({ expected, handing }) => !expected.isStray || handing !== 'copied',
  ),
);

type Played = Awaited<ReturnType<typeof play>>;

/** What the model, the app and the developer get for one failing call. */
function check(
  expected: Case,
  setting: Setting,
  played: Played,
  where: string,
  isBehind = false,
): void {
  const { to, handing } = setting;
  const { parts, errors, ui, events, warned, repairs, report, requests } = played;
  const { error: word, code, cause, warning } = expected;
  const isDenied = expected.isDenial === true && handing !== 'two fields';
  const isSdks = expected.isStray === true && handing === 'copied';

  // The model: JSON without a list of tools; the same bytes in all later requests.
  assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
  const texts = resultsOn(requests.at(-1) ?? assert.fail()).map(({ text }) => text);
  const answer = JSON.parse(texts.at(-1) ?? '');
  assert.equal(answer.error, word, where);
  for (const { raw } of requests) assert.doesNotMatch(raw, /Available tools|AI_\w+Error/, where);
  const others = ALL_NAMES.filter((name) => texts.at(-1)?.includes(name));
  assert.ok(others.length <= 1, `${where}: ${others}`);

  // The app: a part of the step under the name that it knows.
  const failed = failures(parts);
  if (isDenied) {
    const [part] = parts.filter((one) => one.type === 'tool-approval-response');
    assert.equal(part?.toolCall.toolName, expected.seen(to), where);
    assert.equal(part?.approved, false, where);
    assert.match(part?.reason ?? '', /Not now/, where);
    assert.deepEqual(failed, [], where);
    assert.deepEqual(errors, [], where);
  } else if (isSdks) {
    // A copy does not answer for unlisted names; the SDK does until the copy is detected.
    assert.equal(failed.length, 1, where);
  } else {
    assert.deepEqual(
      failed.map(({ toolName }) => toolName),
      [expected.seen(to)],
      where,
    );
    const seen = setting.mode === 'generate' && setting.route !== 'ui' ? [] : errors;
    for (const error of [failed[0]?.error, ...seen]) {
      assert.ok(error instanceof ToolfoldError, `${where}: ${error}`);
      assert.equal(error.code, code, where);
      assert.ok(error.hint.length > 10 && error.message.includes(error.hint), where);
      assert.ok(cause === undefined || error.cause === cause, where);
    }
    if (setting.mode === 'stream') assert.equal(errors.length, 1, where);
  }
  if (isSdks) assert.ok(repairs <= 1, `${where}: ${repairs} repairs`);
  else assert.equal(repairs, expected.isStray && !(isBehind && expected.mayCome) ? 1 : 0, where);
  if (setting.route === 'ui' && !isSdks) {
    const types = ui.flatMap(({ parts: all }) => all.map((part) => partName(part)));
    assert.ok(types.includes(expected.seen(to)), `${where}: ${types}`);
  }

  // The developer.
  const about = events.filter(({ wireName }) => wireName !== 'note');
  assert.equal(about.length, 1, `${where}: ${JSON.stringify(about)}`);
  assert.equal(about[0]?.outcome, 'refused', where);
  assert.equal(about[0]?.error, word, where);
  assert.equal(about[0]?.cause, cause, where);
  if (warning) {
    assert.equal(warned.length, 1, `${where}: ${warned}`);
    assert.match(warned[0] ?? '', warning, where);
  }
}

/** The errors of calls. The SDK keeps the error of a call that no tool takes in the call, and a text in the result. */
function failures(parts: readonly StepPart[]) {
  const kept = new Map(
    parts.flatMap((part) =>
      part.type === 'tool-call' && part.invalid ? [[part.toolCallId, part.error]] : [],
    ),
  );
  return parts.flatMap((part) =>
    part.type === 'tool-error' ? [{ ...part, error: kept.get(part.toolCallId) ?? part.error }] : [],
  );
}

function partName(part: { type: string }): string {
  return 'toolName' in part ? String(part.toolName) : part.type.replace(/^tool-/, '');
}

for (const to of DIALECTS) {
  const SETTINGS = ALL.filter((setting) => setting.to === to);
  describe(`errors for developers, ${to.strategy}, ${selection}`, () => {
    for (const expected of CASES.filter(({ isOnlyLate }) => !isOnlyLate)) {
      test(`${expected.name}: reported under its name, with a code, a hint and a cause`, async () => {
        for (const setting of ALONE) {
          if (setting.to !== to || setting.expected !== expected) continue;
          const where = `${setting.handing}, ${setting.mode}, ${setting.route}`;
          check(expected, setting, await play(setting, [[expected.call(to)]]), where);
        }
      });
    }

    for (const expected of CASES) {
      test(`${expected.name}, after another call: the same`, async () => {
        for (const setting of BEHIND) {
          if (setting.to !== to || setting.expected !== expected) continue;
          const where = `${setting.handing}, ${setting.mode}, ${setting.route}`;
          const played = await play(setting, [[NOTE, expected.call(to)]]);
          check(expected, setting, played, where, true);
        }
      });
    }

    test('a misspelt name after another call, in a copied set: the model never gets a list of tools', async () => {
      const [misspelt] = CASES.filter(({ name }) => name === 'a misspelt name');
      assert.ok(misspelt);
      for (const setting of SETTINGS.filter(({ handing }) => handing === 'copied')) {
        const { report, requests, events } = await play(setting, [[NOTE, misspelt.call(to)]]);
        const where = `${setting.mode}, ${setting.route}`;
        for (const { raw } of requests)
          assert.doesNotMatch(raw, /Available tools|AI_\w+Error/, where);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        assert.equal(events.filter(({ wireName }) => wireName !== 'note').length, 1, where);
      }
    });

    test('a repeated failure keeps its code and its cause', async () => {
      const steps = [[to.call('db__query', {})], [to.call('db__query', {})]];
      for (const setting of SETTINGS) {
        const { parts, events, report } = await play(setting, steps);
        const errors = failures(parts).map(({ error }) => error as ToolfoldError);
        assert.deepEqual(
          errors.map(({ code, cause }) => [code, cause === DOWN]),
          [
            ['loader-failed', true],
            ['loader-failed', true],
          ],
        );
        assert.deepEqual(
          events.map(({ error, cause }) => [error, cause === DOWN]),
          [
            ['load_failed', true],
            ['repeated_call', true],
          ],
        );
        assert.ok(report.held, formatAuditReport(report));
      }
    });

    test('failing calls of one response are reported under their own names', async () => {
      const step = ['db__query', 'zzz', 'thin__gone'].map((name) => to.call(name, {}));
      for (const setting of SETTINGS.filter(({ handing }) => handing !== 'copied')) {
        const { parts, events, report } = await play(setting, [step]);
        const seen = failures(parts).map(({ toolName, error }) => [
          toolName,
          (error as ToolfoldError).code,
        ]);
        // The SDK answers calls that no tool takes before it runs the others.
        assert.deepEqual(seen, [
          ['zzz', 'unknown-tool'],
          ['db__query', 'loader-failed'],
          ['thin__gone', 'unknown-tool'],
        ]);
        assert.equal(events.length, 3);
        assert.ok(report.held, formatAuditReport(report));
      }
    });

    test('a group that does not list its tools and does not load: reported under the name that the model used', async () => {
      for (const setting of SETTINGS.filter(({ handing }) => handing !== 'copied')) {
        const all = { ...setting, groups: SILENT };
        const { parts, warned, report } = await play(all, [[to.call('blind__x', {})]]);
        const [failed] = failures(parts);
        assert.equal(failed?.toolName, 'blind__x');
        assert.ok(failed.error instanceof ToolfoldError);
        assert.equal(failed.error.code, 'loader-failed');
        assert.equal(failed.error.cause, DOWN);
        assert.equal(warned.length, 1);
        assert.ok(report.held, formatAuditReport(report));
      }
    });

    test('a tool that becomes known by its first call: reported under its own name', async () => {
      for (const setting of SETTINGS.filter(({ handing }) => handing !== 'copied')) {
        const all = { ...setting, groups: SILENT };
        const door = to.call('open__door', { title: 'a' });
        const { parts, report } = await play(all, [[door]]);
        assert.ok(report.held, formatAuditReport(report));
        assert.deepEqual(
          failures(parts).map(({ toolName }) => toolName),
          ['open__door'],
          `${setting.handing}, ${setting.mode}, ${setting.route}`,
        );
      }
    });

    test('a tool that becomes known, called twice in one response: the model is asked to repeat both calls', async () => {
      for (const setting of SETTINGS.filter(({ handing }) => handing !== 'copied')) {
        const all = { ...setting, groups: SILENT };
        const step = ['a', 'b'].map((title) => to.call('open__door', { title }));
        const { requests, events } = await play(all, [step]);
        const texts = resultsOn(requests.at(-1) ?? assert.fail()).map(({ text }) => text);
        const where = `${setting.handing}, ${setting.mode}, ${setting.route}`;
        for (const text of texts) assert.match(text, /"error":"call_again"/, where);
        assert.equal(events.length, 2, where);
      }
    });

    test('no message begins with an empty name', async () => {
      for (const name of ['an envelope without a name', 'a bridge in a bridge']) {
        const { call } = CASES.find((one) => one.name === name) ?? assert.fail();
        const setting = { to, handing: 'spread', mode: 'generate', route: 'live' } as const;
        const { parts } = await play(setting, [[call(to)]]);
        assert.doesNotMatch(String(Object(failures(parts)[0]?.error).message), /^\W/);
      }
    });

    test('the app can repair an input that the schema refuses', async () => {
      for (const setting of SETTINGS) {
        const { repairs, parts, report } = await play(setting, [
          [to.call('kit__make_issue', { title: 5 })],
        ]);
        assert.equal(repairs, 1);
        assert.equal(failures(parts)[0]?.toolName, 'kit__make_issue');
        assert.ok(report.held, formatAuditReport(report));
      }
    });

    test('an envelope that ends after the name is reported under that name, in both modes', async () => {
      const [key] = to === DISPATCH ? ['tool_name'] : ['name'];
      const text = `{"${key}": "kit__make_issue", "arguments": {"ti`;
      for (const setting of SETTINGS) {
        const { parts, report } = await play(setting, [[{ name: to.dispatcher, arguments: text }]]);
        assert.ok(report.held, formatAuditReport(report));
        const where = `${setting.handing}, ${setting.mode}, ${setting.route}`;
        assert.equal(failures(parts)[0]?.toolName, 'kit__make_issue', where);
      }
    });
  });
}

test("a failed load gives the app the code and the cause of the loader's error, and a warning", async () => {
  for (const setting of ALL) {
    if (setting.to !== DISPATCH) continue;
    const load = DISPATCH.load('db');
    const { parts, events, warned, report } = await play(setting, [[load]], 'steps');
    const where = `${setting.handing}, ${setting.mode}, ${setting.route}`;
    assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
    const [failed] = failures(parts);
    assert.equal(failed?.toolName, 'load_tools', where);
    assert.ok(failed.error instanceof ToolfoldError, where);
    assert.equal(events.length, 1, where);
    assert.equal(failed.error.code, 'loader-failed', where);
    assert.equal(failed.error.cause, DOWN, where);
    assert.equal(events[0]?.cause, DOWN, where);
    assert.equal(warned.length, 1, where);
  }
});

test("a load that fails inside the model call gives the app the answer, and the loader's error by an event and a warning", async () => {
  const listed = (GROUPS as readonly object[]).map((group) => ({ toolNames: ['x'], ...group }));
  for (const setting of ALL) {
    if (setting.to !== DISPATCH) continue;
    const groups = listed as unknown as FoldOptions<ToolSet>['groups'];
    const played = await play({ ...setting, groups }, [[DISPATCH.load('db')]]);
    const { parts, events, warned, report } = played;
    const where = `${setting.handing}, ${setting.mode}, ${setting.route}`;
    assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
    const [failed] = failures(parts);
    assert.equal(failed?.toolName, 'load_tools', where);
    assert.match(String(failed.error), /could not be loaded/, where);
    assert.deepEqual([events.length, events[0]?.cause, warned.length], [1, DOWN, 1], where);
  }
});
