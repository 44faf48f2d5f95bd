import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Markdown, type TuiMouseEvent, visibleWidth } from '@earendil-works/pi-tui';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { createScreen, screenOf } from '@toolfold/agent/internal/events/screen.ts';
import type { ScreenView } from '@toolfold/agent/internal/events/screen-view.ts';
import {
  call,
  end,
  result,
  said,
  turnsOf,
  user,
  VIEWS,
} from '../../test/chat-view/events.test-support.ts';
import { ChatDocument } from './document.ts';
import { themeWith } from './theme.ts';

interface Shown {
  readonly document: ChatDocument;
  /** What is shown. Tests replace it. */
  now: ScreenView;
  readonly changes: () => number;
}

function show(
  view: ScreenView,
  hide = (text: string) => text,
  hasColour = false,
  isInline = false,
): Shown {
  let changes = 0;
  const document = new ChatDocument({
    ...{ theme: themeWith(hasColour), hide, isInline },
    view: () => shown.now,
    status: () => ({ activity: 'working' }),
    now: () => 0,
    onToggle: () => {
      changes += 1;
    },
  });
  const shown: Shown = { document, now: view, changes: () => changes };
  return shown;
}

const click = (y: number) =>
  ({ type: 'click', button: 'left', x: 0, y }) as unknown as TuiMouseEvent;

/** Clicks on the line with these words. */
function clickOn({ document }: Shown, words: string, width = 80): void {
  const y = document.render(width).findIndex((line) => line.includes(words));
  assert.deepEqual(document.handleMouse(click(y)), { handled: true }, words);
}

describe('the lines of a conversation', () => {
  for (const hasColour of [false, true])
    test(`fit at every width, whatever is shown, ${hasColour ? 'with' : 'without'} colour`, () => {
      for (const [name, view] of Object.entries(VIEWS)) {
        const { document } = show(view, undefined, hasColour);
        for (const isOpen of [false, true]) {
          if (isOpen) document.toggleAll();
          const widths = hasColour ? [1, 12, 80] : [1, 2, 11, 12, 13, 40];
          for (const width of widths) {
            for (const line of document.render(width)) {
              assert.ok(
                visibleWidth(line) <= width,
                `${name} at ${width}: ${JSON.stringify(line)}`,
              );
              assert.doesNotMatch(line, /\n/);
            }
          }
        }
      }
    });

  test('of all kinds of events fit at widths from 1 to 120', () => {
    const { document } = show(VIEWS.all);
    document.toggleAll();
    for (let width = 1; width <= 120; width += 1) {
      for (const line of document.render(width))
        assert.ok(visibleWidth(line) <= width, `${width}: ${JSON.stringify(line)}`);
    }
  });

  test('have no secrets and no escape sequences of others', () => {
    const view = turnsOf(1);
    const hostile = JSON.parse(
      JSON.stringify(VIEWS.all).replaceAll('A long text', '\\u001b[2Jsecret\\u202e'),
    );
    const { document } = show(hostile, (text) => text.replaceAll('secret', '[redacted]'));
    document.toggleAll();
    const text = document.render(80).join('\n');
    for (const piece of ['secret', '\u001B[2J', '\u202E']) assert.ok(!text.includes(piece));
    assert.match(text, /\[redacted\]/);
    assert.match(
      show(view).document.render(80).join('\n'),
      /❯ Question 0[\s\S]*● files__read[\s\S]*Answer 0/,
    );
  });
});

describe('what has not changed', () => {
  test('is not drawn again', (context) => {
    const render = context.mock.method(Markdown.prototype, 'render');
    const screen = createScreen(turnsOf(100));
    const shown = show(screen.view);
    shown.document.render(80);
    assert.equal(render.mock.callCount(), 100);
    shown.document.render(80);
    assert.equal(render.mock.callCount(), 100);
    for (const event of [user('More.'), said('One '), said('two.'), end()]) {
      screen.take(event);
      shown.now = screen.view;
      shown.document.render(80);
    }
    // The turn that was the last one is joined again; its Markdown is kept.
    assert.equal(render.mock.callCount(), 102);
    shown.document.render(40);
    assert.equal(render.mock.callCount(), 203);
  });

  test('is the same as if all were drawn at once', () => {
    const screen = createScreen();
    const shown = show(screen.view);
    const fresh = () => show(screen.view).document.render(60);
    for (let at = 0; at < 12; at += 1) {
      const text = '- item\n\nWords.\n```\ncode\n'.repeat(at);
      for (const event of [user(`Q${at}`), said(text), said(text), ...(at % 3 ? [end()] : [])]) {
        screen.take(event);
        shown.now = screen.view;
        assert.deepEqual(shown.document.render(60), fresh());
      }
    }
    shown.now = { turns: screen.view.turns.slice(5, 8) };
    assert.deepEqual(shown.document.render(60), show(shown.now).document.render(60));
  });

  test('of an answer of 10,000 lines is drawn once', (context) => {
    const render = context.mock.method(Markdown.prototype, 'render');
    const screen = createScreen();
    const shown = show(screen.view);
    screen.take(user('Go.'));
    for (let at = 0; at < 500; at += 1) {
      screen.take(said(`Paragraph ${at}.\n\n- one\n- two\n\n${'line\n'.repeat(15)}\n`));
      shown.now = screen.view;
      shown.document.render(80);
    }
    assert.ok(shown.document.render(80).length > 10_000);
    assert.ok(render.mock.callCount() < 2_500, String(render.mock.callCount()));
  });
});

describe('cards', () => {
  const long = Array.from({ length: 20 }, (_, at) => `row ${at}`).join('\n');

  test('open and close where they are clicked', () => {
    const shown = show(turnsOf(3));
    const view = JSON.parse(
      JSON.stringify(shown.now).replaceAll('Found.', long.replaceAll('\n', '\\n')),
    );
    shown.now = view;
    const closed = [...shown.document.render(80)];
    assert.ok(closed.some((line) => line.includes('17 lines more (Ctrl-O opens)')));
    clickOn(shown, '● files__read');
    const open = [...shown.document.render(80)];
    assert.ok(open.some((line) => line.includes('row 19')));
    assert.equal(shown.changes(), 1);
    clickOn(shown, '● files__read');
    assert.deepEqual(shown.document.render(80), closed);
  });

  test('of all turns open and close together, and one by one then', () => {
    const shown = show(VIEWS.all);
    const closed = shown.document.render(80).length;
    shown.document.toggleAll();
    const open = shown.document.render(80).length;
    assert.ok(open > closed);
    clickOn(shown, '● files__read 1.2 s');
    assert.ok(shown.document.render(80).length < open);
    shown.document.toggleAll();
    assert.equal(shown.document.render(80).length, closed);
  });

  test('of subagents stand below their call', () => {
    const shown = show(VIEWS.all);
    assert.ok(shown.document.render(80).some((line) => line.startsWith('  ▸ one')));
    clickOn(shown, '▸ one');
    assert.ok(shown.document.render(80).some((line) => line.startsWith('  ▾ one')));
  });

  test('show a tool of MCP as failed if its result says so', () => {
    const output = { isError: true, content: [{ type: 'text', text: 'No.' }] };
    const { document } = show(screenOf([user('Read'), call('1'), result('1', output), end()]));
    assert.ok(document.render(80).some((line) => line.startsWith('✗ files__read')));
  });

  test('do not open where nothing is', () => {
    const { document, changes } = show(turnsOf(1));
    const height = document.render(80).length;
    for (const y of [height, height + 100, -1])
      assert.equal(document.handleMouse(click(y)), undefined);
    assert.equal(document.handleMouse({ ...click(0), type: 'move' } as TuiMouseEvent), undefined);
    assert.equal(changes(), 0);
  });
});

describe('notices', () => {
  const request = (number: number, kind: string) =>
    ({
      ...{ type: 'request', request: number, strategy: 'dispatch', segments: [] },
      tokens: {},
      kind,
    }) as never;
  const epoch = { type: 'epoch', strategy: 'dispatch', reason: 'deferring is cheaper: x' } as const;

  test('stand where they happened, in plain words', () => {
    const load = { type: 'load', group: 'files', tools: ['files__read'] } as const;
    const cause = 'the strategy changed from eager to dispatch: deferring is cheaper: estimated 5';
    const segment = { index: 0, kind: 'tools' } as const;
    const view = screenOf([
      ...[user('Go.'), epoch, request(1, 'first'), said('Let me see.'), load],
      ...[call('1'), result('1', 'ok'), epoch, request(2, 'second')],
      { type: 'prefix-broken', request: 2, segment, cause },
      ...[said('Done.'), end()],
    ]);
    const shown = new ChatDocument({
      ...{ theme: themeWith(false), hide: (text: string) => text, view: () => view },
      onToggle: () => {},
      status: () => ({ activity: undefined, tokensOf: () => 240 }),
    });
    const lines = shown.render(100).map((line) => line.trimEnd());
    assert.deepEqual(lines.slice(0, 10), [
      ...['❯ Go.', '', 'Let me see.', ''],
      '● Loaded from files: files__read (240 tokens)',
      '● files__read 1.2 s · path: /a b, lines: [1,2]',
      '  └ ok',
      '· The list of tools was sent anew: the strategy changed from eager to dispatch.',
      ...['', 'Done.'],
    ]);
  });
});

describe('what is said in a row', () => {
  test('of a compaction stands once: what is sent anew right behind it needs no notice', () => {
    const compaction = { type: 'compaction', cause: 'window', summary: '', before: 9, after: 5 };
    const cause = 'the conversation was compacted';
    const segment = { index: 1, kind: 'message' };
    const broken = { type: 'prefix-broken', request: 2, segment, cause };
    const linesOf = (...events: readonly object[]) => {
      const all = [user('Go.'), ...events, said('Done.'), end()];
      const lines = show(screenOf(all as AgentEvent[])).document.render(100);
      return lines.filter((line) => line.startsWith('·')).map((line) => line.trimEnd());
    };
    const compacted = '· Compacted: about 9 tokens of messages became 5.';
    const anew = '· The conversation was sent anew: ';
    assert.deepEqual(linesOf(compaction, broken), [compacted]);
    const later = [`${anew}${cause}.`];
    assert.deepEqual(linesOf(compaction, said('And.'), broken), [compacted, ...later]);
    assert.deepEqual(linesOf(broken), later);
    const other = { ...broken, cause: 'the role changed' };
    assert.deepEqual(linesOf(compaction, other), [compacted, `${anew}the role changed.`]);
  });

  test('by the chat itself stands once, if that is wanted', () => {
    const shown = show(turnsOf(1));
    const count = () =>
      shown.document.render(80).filter((line) => line.startsWith('It ended.')).length;
    for (let at = 0; at < 2; at++) shown.document.say(['It ended.'], true);
    assert.equal(count(), 1);
    shown.document.say(['It ended.']);
    assert.equal(count(), 2);
    shown.now = turnsOf(2);
    shown.document.say(['It ended.'], true);
    shown.document.say(['Something else.'], true);
    shown.document.say(['It ended.'], true);
    assert.equal(count(), 4);
  });
});

describe('thoughts between tags', () => {
  const shown = (text: string) => {
    const pieces = [...text].map(said);
    const lines = show(screenOf([user('Go.'), ...pieces])).document.render(80);
    return lines.slice(2).map((line) => line.trimEnd());
  };
  const lines = (words: string) => words.split('/');
  const WORK = ['', '⠋ working'];

  test('are reasoning, folded, also if the first tag is missing or the second one has not come', () => {
    for (const text of [
      '<think>\none\ntwo\nthree\nfour\n</think>\n\nThe **answer**.',
      'one\ntwo\nthree\nfour\n</think>\n\nThe **answer**.',
    ])
      assert.deepEqual(shown(text), [
        ...lines('… 1 line of thought before/two/three/four//The answer.'),
        ...WORK,
      ]);
    assert.deepEqual(shown('<think>one\ntwo'), [...lines('one/two'), ...WORK]);
    assert.deepEqual(shown('<think>one</thi'), [...lines('one'), ...WORK]);
    assert.deepEqual(shown('<thi'), ['⠋ working']);
  });

  test('are only those in front of the answer', () => {
    const text = 'Models write `<think>` and `</think>` around thoughts.';
    assert.deepEqual(shown(text), ['Models write <think> and </think> around thoughts.', ...WORK]);
    assert.deepEqual(shown('<b>x'), ['<b>x', ...WORK]);
  });
});

test('a call about whose unknown outcome the user is asked does not run', () => {
  const start: AgentEvent = { type: 'tool-start', id: 'c1', name: 'files__read' };
  const view = screenOf([user('Read.'), call('c1'), start]);
  let unknownCall: string | undefined;
  const document = new ChatDocument({
    ...{
      theme: themeWith(false),
      hide: (text: string) => text,
      view: () => view,
    },
    ...{
      status: () => ({ activity: 'waits', unknownCall }),
      onToggle: () => {},
      now: () => 0,
    },
  });
  const card = () => document.render(80).find((line) => line.includes('files__read'));
  assert.match(card() ?? '', /runs/);
  unknownCall = 'c1';
  assert.match(card() ?? '', /^‼ files__read interrupted, its outcome is unknown/);
  unknownCall = undefined;
  assert.match(card() ?? '', /runs/);
});

describe('a long session', () => {
  const questions = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith('❯')).length;

  test('that is opened shows its last turns, and says how many are before', () => {
    const shown = show(turnsOf(1000));
    const lines = [...shown.document.render(100)];
    assert.equal(questions(lines), 300);
    assert.match(lines[0] ?? '', /^… 700 turns before\. Click here/);
    assert.ok(lines.some((line) => line.includes('Question 999')));
    clickOn(shown, '700 turns before', 100);
    assert.equal(questions(shown.document.render(100)), 600);
    clickOn(shown, '400 turns before', 100);
    clickOn(shown, '100 turns before', 100);
    const all = shown.document.render(100);
    assert.equal(questions(all), 1000);
    assert.equal(all[0], '❯ Question 0');
  });

  test('has its last lines in the first frame, with the colours of code, and then those above', () => {
    const view = screenOf(
      Array.from({ length: 100 }, (_, at) => [
        user(`Question ${at}`),
        said(`Answer ${at}\n\n\`\`\`ts\nconst a = ${at};\n\`\`\``),
        end(),
      ]).flat(),
    );
    const options = {
      ...{ theme: themeWith(true), hide: (text: string) => text, view: () => view },
      now: () => 0,
    };
    const all = [...new ChatDocument({ ...options, onToggle: () => {} }).render(80)];
    assert.equal(all.filter((line) => line.includes('\u001B[36mconst')).length, 100);
    let isMore = true;
    const slices = new ChatDocument({
      ...options,
      isAtEnd: () => true,
      onToggle: () => {
        isMore = true;
      },
    });
    let [count, frames] = [0, 0];
    for (; isMore; frames += 1) {
      isMore = false;
      const lines = [...slices.render(80)];
      assert.deepEqual(lines, all.slice(-lines.length));
      assert.ok(lines.length - count < 300);
      count = lines.length;
    }
    assert.equal(count, all.length);
    assert.ok(frames > 3);
    slices.toggleAll();
    assert.ok(slices.render(80).length < 300);
    assert.ok(slices.complete());
    assert.equal(slices.render(80).length, all.length);
    assert.ok(!slices.complete());
  });

  test('shows fewer turns on the main screen', () => {
    const lines = show(turnsOf(100), undefined, false, true).document.render(100);
    assert.equal(questions(lines), 30);
    assert.equal(lines[0], '… 70 turns before. /export writes all to a file.');
  });

  test('that goes on keeps its first line', () => {
    const screen = createScreen(turnsOf(300));
    const shown = show(screen.view);
    shown.document.render(80);
    for (let at = 0; at < 10; at += 1) {
      for (const event of [user('More.'), said('Yes.'), end()]) screen.take(event);
      shown.now = screen.view;
      assert.equal(shown.document.render(80)[0], '❯ Question 0');
    }
    shown.now = turnsOf(302);
    shown.document.render(80);
    shown.now = { turns: [] };
    assert.deepEqual(shown.document.render(80), []);
  });
});

test('lines of the chat itself stand behind their turn', () => {
  const shown = show(turnsOf(0));
  for (const [at, text] of ['first', 'second', `  third  ${'word '.repeat(9)}`].entries()) {
    shown.now = turnsOf(at);
    shown.document.say([text]);
  }
  const words = shown.document.render(50).filter((line) => /first|second|third|❯/.test(line));
  assert.deepEqual(words, [
    ...['first', '❯ Question 0', 'second', '❯ Question 1'],
    `  third  ${'word '.repeat(8).trim()}`,
  ]);
  assert.ok(shown.document.render(40).includes(`  third  ${'word '.repeat(6).trim()}`));
  const coloured = show(turnsOf(0), undefined, true).document;
  coloured.say([]);
  coloured.say(['  /help  shows commands']);
  assert.deepEqual(coloured.render(50), ['  /help  \u001B[90mshows commands\u001B[39m', '']);
  shown.document.forget(2);
  const rest = shown.document.render(50).filter((line) => /first|second|third/.test(line));
  assert.equal(rest.length, 1);
});

describe('the state of a call', () => {
  const approval: AgentEvent = {
    ...{ type: 'approval', approvalId: 'a', id: '1', name: 'files__read' },
    ...{ arguments: {}, askedBy: 'setting' },
  };
  const decision = (approved: boolean, reason?: string): AgentEvent => ({
    ...{ type: 'decision', id: '1', name: 'files__read', approved, source: 'user' },
    ...(reason === undefined ? {} : { reason }),
  });
  const asked = [user('Go.'), call('1'), approval];
  const linesOf = (events: readonly AgentEvent[]) =>
    show(screenOf(events)).document.render(100).join('\n');

  test('says why it was denied', () => {
    const failure: AgentEvent = {
      ...{ type: 'failure', id: '1', name: 'files__read', error: 'The call was denied.' },
    };
    const lines = linesOf([...asked, decision(false, 'The user says: not today'), failure]);
    assert.match(lines, /└ The user says: not today/);
  });

  test('says in words why it was refused, and all when it is open', () => {
    const refusal = {
      error: 'invalid_arguments',
      message: 'It was not run.',
      problems: ['No id.'],
    };
    const json = JSON.stringify(refusal);
    const failure: AgentEvent = { type: 'failure', id: '1', name: 'files__read', error: json };
    for (const refused of [result('1', json), failure]) {
      const shown = show(screenOf([user('Go.'), call('1'), refused, end()]));
      assert.match(shown.document.render(100).join('\n'), /└ It was not run\.\n +No id\./);
      shown.document.toggleAll();
      assert.match(shown.document.render(100).join('\n'), /"error":"invalid_arguments"/);
    }
  });

  test('says that an approved call waits for the others', () => {
    assert.match(linesOf([...asked, decision(true)]), /○ files__read approved, not run yet/);
  });

  test('is open again while a cancelled turn goes on', () => {
    const cancelled = end({ reason: 'cancelled' });
    assert.match(linesOf([...asked, cancelled]), /\? files__read needs your approval/);
  });

  test('is not that a server asks, when its process has ended', () => {
    const view = screenOf([
      ...[user('Go.'), call('1'), { type: 'tool-start', id: '1', name: 'files__read' } as const],
      {
        ...{ type: 'elicitation', elicitationId: 'e', id: '1', name: 'files__read' },
        ...{ server: 'files', message: 'Which?', fields: [] },
      },
    ]);
    const document = new ChatDocument({
      ...{ theme: themeWith(false), hide: (text: string) => text, view: () => view },
      onToggle: () => {},
    });
    const lines = document.render(100).join('\n');
    assert.match(lines, /its outcome is unknown/);
    assert.doesNotMatch(lines, /asks you/);
  });
});

describe('the end of a turn', () => {
  const lastOf = (events: readonly AgentEvent[]) => {
    const view = screenOf([user('Go.'), ...events]);
    const document = new ChatDocument({
      ...{ theme: themeWith(false), hide: (text: string) => text, view: () => view },
      onToggle: () => {},
    });
    return document
      .render(100)
      .findLast((line) => line !== '')
      ?.trimEnd();
  };

  test('says that an answer is empty, and what to do', () => {
    assert.equal(
      lastOf([end()]),
      'The answer is empty. Ask again, or choose another model: /model.',
    );
    assert.equal(lastOf([said('Yes.'), end()]), 'Yes.');
  });

  test('says what follows a cut answer', () => {
    const words = "The answer was cut off at the model's limit. Ask for the rest.";
    assert.equal(lastOf([said('Yes'), end({ reason: 'length' })]), words);
  });
});
