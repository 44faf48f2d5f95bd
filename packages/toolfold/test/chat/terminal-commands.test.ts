// test: slow, first
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { Journal } from '../servers/scripted-server.test-support.ts';
import { type ChatScene, type ChatTerminal, chatScene, limited } from './chat.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

const tools = [
  {
    name: 'write',
    description: 'Writes a file.',
    answer: { content: [{ type: 'text', text: 'written' }] },
  },
  { name: 'hang', description: 'Never answers.', answer: 'never' },
];

/** The last message of the conversation as text. */
const lastOf = ({ body }: RecordedRequest): string =>
  JSON.stringify((body.messages as unknown[]).at(-1));

/** Calls the tool that the user names, and repeats what else the user says. */
function answerTo(request: RecordedRequest): Reply {
  const last = lastOf(request);
  if (last.includes('tool_result')) return { text: 'The tool has ended.' };
  const name = tools.map((tool) => tool.name).find((one) => last.includes(`use ${one}`));
  if (name !== undefined)
    return { text: 'I use it.', calls: [{ name: `files__${name}`, arguments: { path: 'a.txt' } }] };
  if (JSON.stringify(request.body).includes('summary')) return { text: 'A short summary.' };
  const said = /say (\w+)/.exec(last)?.[1] ?? 'something';
  return { text: `You said ${said}.` };
}

interface Opened extends ChatScene {
  readonly journal: Journal;
  readonly chat: ChatTerminal;
}

async function opened(
  context: TestContext,
  script: (request: RecordedRequest) => Reply | Promise<Reply> = answerTo,
): Promise<Opened> {
  const journal = await Journal.open(context);
  const scene = await chatScene(context, script, {
    servers: async () => ({ files: journal.entry('files', tools) }),
  });
  const chat = await scene.terminal();
  await chat.start();
  await chat.tmux.shows(/2 (inline|deferred)/);
  return { ...scene, journal, chat };
}

const count = (text: string, part: string): number => text.split(part).length - 1;

suite('toolfold chat on a terminal', { skip: withoutTmux, concurrency: false }, () => {
  for (const [answer, keys, status, calls] of [
    ['once', [], /● files__write .*approved/, 1],
    ['session', ['2'], /● files__write .*approved/, 1],
    ['always', ['Down', 'Down'], /● files__write .*approved/, 1],
    ['no', ['Up', 'Up'], /⊘ files__write .*denied/, 0],
    ['because', ['Up'], /⊘ files__write .*denied/, 0],
  ] as const) {
    test(`an approval is answered in place: ${answer}`, limited, async (context) => {
      const { chat, journal, folder, model } = await opened(context);
      await chat.say('use write');
      const asked = await chat.tmux.shows('Allow once');
      assert.match(asked, /\? files__write needs your approval/);
      await chat.answer(...keys);
      if (answer === 'always') {
        await chat.tmux.shows('toolfold.json keeps this.');
        await chat.answer('Down');
      }
      if (answer === 'because') {
        await chat.tmux.shows('Why not run files__write?');
        await chat.tmux.type('the name is wrong');
        await chat.answer();
      }
      assert.match(await chat.tmux.shows('The tool has ended.'), status);
      assert.equal(count(journal.lines.join('\n'), 'call files'), calls);
      const config = await readFile(join(folder, 'toolfold.json'), 'utf8');
      assert.equal(config.includes('files__write'), answer === 'always');
      const isRead = model.requests.at(-1)?.raw.includes('the name is wrong');
      assert.equal(isRead, answer === 'because');
      // The same call again: asked about only if the answer was for this time.
      await chat.say('use write again');
      await (answer === 'session' || answer === 'always'
        ? chat.tmux.until('two calls', (screen) => count(screen, 'The tool has ended.') === 2)
        : chat.tmux.shows('Allow once'));
    });
  }

  test(
    'Esc at a question cancels the turn, and letters answer nothing',
    limited,
    async (context) => {
      const { chat, journal } = await opened(context);
      await chat.say('use write');
      await chat.tmux.shows('Enter: answer');
      await chat.tmux.type('y', 'BSpace', 'a', 'BSpace');
      await chat.tmux.shows('Enter: answer');
      await chat.tmux.type('', 'Escape');
      await chat.tmux.shows('Cancelled.');
      assert.equal(count(journal.lines.join('\n'), 'call files'), 0);
      await chat.quit();
    },
  );

  test('a question takes no key at first after Ctrl-Z and fg', limited, async (context) => {
    const { chat } = await opened(context);
    const { tmux } = chat;
    await chat.say('use write');
    await tmux.shows('Enter: answer');
    await tmux.type('', 'C-z');
    await tmux.shows('Stopped');
    const before = (await tmux.bytes()).length;
    await tmux.type('fg', 'Enter');
    await chat.answer();
    const [, frame = ''] = (await tmux.bytes()).slice(before).split('No, because …');
    assert.match(frame.split('Enter: answer')[0] ?? '', /…/);
    await tmux.shows('The tool has ended.');
    await tmux.type('', 'C-d');
    await chat.ended();
  });

  test('a call that was running at kill -9 is asked about', limited, async (context) => {
    const { chat, journal, terminal } = await opened(context);
    await chat.say('use hang');
    await chat.tmux.shows('Allow once');
    await chat.answer();
    await journal.until('call files');
    process.kill(chat.pid, 'SIGKILL');
    await chat.ended();
    const second = await terminal();
    await second.start('-c');
    await second.tmux.shows('Started, with an unknown outcome: 1 call');
    await second.tmux.shows('Go on with it?');
    await second.answer();
    await second.tmux.shows('Run it again');
    await second.answer('2');
    await second.tmux.shows('What happened, for the model?');
    await second.tmux.type('I looked it up');
    await second.answer();
    const screen = await second.tmux.shows('The tool has ended.');
    assert.equal(count(screen, 'I use it.'), 1);
    assert.equal(count(journal.lines.join('\n'), 'call files'), 1);
    await second.quit();
  });

  test('the offer to go on goes away where another chat goes on', limited, async (context) => {
    const { chat, journal, terminal } = await opened(context);
    await chat.say('use hang');
    await chat.tmux.shows('Allow once');
    await chat.answer();
    await journal.until('call files');
    const [follower, other] = [await terminal(), await terminal()];
    await follower.start('-c');
    await follower.tmux.shows('use hang');
    process.kill(chat.pid, 'SIGKILL');
    await chat.ended();
    await follower.tmux.shows('Go on with it?');
    await other.start('-c');
    await other.tmux.shows('Go on with it?');
    await other.answer();
    await other.tmux.shows('Run it again');
    await follower.tmux.until('no question', (screen) => !screen.includes('Go on with it?'));
    await other.answer();
    await other.tmux.shows('The tool has ended.');
    await follower.tmux.shows('The tool has ended.');
    await follower.say('say more');
    await follower.tmux.shows('You said more.');
    await Promise.all([follower.quit(), other.quit()]);
  });

  test('/fork, /tree, /context, /cost, /quick, /compact', limited, async (context) => {
    const { chat } = await opened(context);
    await chat.say('say one');
    await chat.tmux.shows('You said one.');
    await chat.tmux.shows(/1 request · /);
    await chat.say('/context');
    const held = await chat.tmux.shows(/The last request: [\d,]+ tokens, strategy eager/);
    assert.match(held, /messages +[\d,]+ +/);
    await chat.say('/cost');
    await chat.tmux.shows(/All +1 request, [\d,]+ tokens sent/);
    await chat.say('/quick say aside');
    await chat.tmux.shows('You said aside.');
    await chat.say('/fork');
    await chat.tmux.shows(/This is a fork: \w{8}\./);
    await chat.say('say two');
    await chat.tmux.shows('You said two.');
    await chat.say('/tree');
    const tree = await chat.tmux.shows('Go to');
    assert.match(tree, /^ {2}\w{8} say one/m);
    assert.match(tree, /▸ {3}\w{8} say one/);
    await chat.tmux.type('', 'Escape');
    // A key that follows at once would make another key of it.
    await chat.tmux.until('the input', (screen) => !screen.includes('Go to'));
    await chat.say('/compact');
    await chat.tmux.shows(/too little to save|Compacted/);
    await chat.quit();
  });

  test(
    'messages wait for the end of the turn, and Esc takes them back',
    limited,
    async (context) => {
      const held = Promise.withResolvers<void>();
      const { chat } = await opened(context, (request) =>
        lastOf(request).includes('wait') ? { text: 'Now.', hold: held.promise } : answerTo(request),
      );
      await chat.say('wait for it');
      await chat.tmux.shows('working, Esc cancels');
      await chat.say('say later');
      await chat.tmux.shows('↑ say later');
      held.resolve();
      const screen = await chat.tmux.shows('You said later.');
      assert.ok(screen.indexOf('Now.') < screen.indexOf('❯ say later'));
      await chat.quit();
    },
  );

  test('Esc cancels the turn and keeps the session', limited, async (context) => {
    const asked = Promise.withResolvers<void>();
    const { chat, terminal } = await opened(context, (request) => {
      asked.resolve();
      return !lastOf(request).includes('later')
        ? { text: 'Never.', hold: new Promise(() => {}) }
        : answerTo(request);
    });
    await chat.say('wait for it');
    await chat.tmux.shows('working, Esc cancels');
    // A message that comes earlier is in the first request.
    await asked.promise;
    await chat.say('say later');
    await chat.tmux.shows('↑ say later');
    await chat.tmux.type('', 'Escape');
    await chat.tmux.shows('Cancelled.');
    // What waited is in the input again.
    await chat.tmux.shows(/^say later/m);
    await chat.tmux.type('', 'Enter');
    await chat.tmux.shows('You said later.');
    await chat.quit();
    const second = await terminal();
    await second.start('-c');
    const screen = await second.tmux.shows('You said later.');
    assert.match(screen, /❯ wait for it[\s\S]*Cancelled\./);
    await second.quit();
  });

  test('@file completes and attaches', limited, async (context) => {
    const { chat, folder, model } = await opened(context);
    await writeFile(join(folder, 'secret plan.txt'), 'Fold everything.\n');
    await chat.tmux.type('say read @secr');
    await chat.tmux.shows('secret plan.txt');
    await chat.tmux.type('', 'Tab');
    await chat.tmux.shows('@"secret plan.txt"');
    await chat.tmux.type('', 'Enter');
    await chat.tmux.shows('You said read.');
    assert.match(JSON.stringify(model.requests.at(-1)?.body), /Fold everything\./);
    await chat.say('say gone @missing.txt');
    await chat.tmux.shows('There is no file missing.txt.');
    // It is in the input again, and Enter sends it as it is.
    await chat.tmux.shows(/^say gone @missing\.txt/m);
    assert.equal(model.requests.length, 1);
    await chat.tmux.type('', 'Enter');
    await chat.tmux.shows('You said gone.');
    await chat.quit();
  });

  test('a message does not overtake one with a file', limited, async (context) => {
    const { chat, folder, model } = await opened(context);
    await writeFile(join(folder, 'large.txt'), 'x'.repeat(150_000));
    await chat.tmux.type('say @large.txt now');
    await chat.tmux.shows('@large.txt now');
    await chat.tmux.type('', 'Enter', 's', 'a', 'y', 'Space', 't', 'w', 'o', 'Enter');
    await chat.tmux.shows('You said two.');
    assert.match(JSON.stringify(model.requests[0]?.body), /say @large/);
    await chat.quit();
  });

  test('Ctrl-R searches what was written, in earlier sessions too', limited, async (context) => {
    const { chat, terminal } = await opened(context);
    await chat.tmux.type('', 'C-r');
    await chat.tmux.shows('You have written nothing in this folder yet.');
    await chat.say('say pear');
    await chat.tmux.shows('You said pear.');
    await chat.say('say apple');
    await chat.tmux.shows('You said apple.');
    await chat.quit();
    const second = await terminal();
    await second.start();
    await second.tmux.type('', 'C-r');
    await second.tmux.shows('Search what you wrote');
    await second.tmux.type('pea');
    await second.tmux.until(
      'the match alone',
      (screen) => screen.includes('say pear') && !screen.includes('say apple'),
    );
    await second.tmux.type('', 'Enter');
    await second.tmux.until('the end of the list', (screen) => !screen.includes('Search what'));
    await second.tmux.type('', 'Enter');
    await second.tmux.shows('You said pear.');
    await second.quit();
  });

  test('-r chooses a session, /resume another one', limited, async (context) => {
    const { chat, terminal } = await opened(context);
    await chat.say('say first');
    await chat.tmux.shows('You said first.');
    await chat.say('/new');
    await chat.tmux.until('a new session', (screen) => !screen.includes('You said first.'));
    await chat.say('say second');
    await chat.tmux.shows('You said second.');
    await chat.quit();
    const other = await terminal();
    await other.start('-r');
    await other.tmux.shows('Choose a session');
    await other.tmux.type('first', 'Enter');
    await other.tmux.shows('You said first.');
    await other.say('/resume');
    await other.tmux.shows('Choose a session');
    await other.tmux.type('second', 'Enter');
    await other.tmux.shows('You said second.');
    await other.quit();
  });

  test('Ctrl-G opens the editor', limited, async (context) => {
    const journal = await Journal.open(context);
    const scene = await chatScene(context, answerTo, {
      servers: async () => ({ files: journal.entry('files', tools) }),
      env: { EDITOR: "sed -i 's/draft/say edited/'", VISUAL: '' },
    });
    const chat = await scene.terminal();
    await chat.start();
    await chat.tmux.type('draft');
    await chat.tmux.shows('draft');
    await chat.tmux.type('', 'C-g');
    await chat.tmux.shows('say edited');
    await chat.tmux.type('', 'Enter');
    await chat.tmux.shows('You said edited.');
    await chat.quit();
  });

  test(
    'a message that is written when a question comes is kept whole',
    limited,
    async (context) => {
      const held = Promise.withResolvers<void>();
      const { chat, journal } = await opened(context, async (request) => {
        if (lastOf(request).includes('use write')) await held.promise;
        return answerTo(request);
      });
      await chat.say('use write');
      await chat.tmux.shows('working, Esc cancels');
      await chat.tmux.type('I write y');
      held.resolve();
      await chat.tmux.shows('Allow once');
      await chat.tmux.type('yy 2');
      await chat.tmux.paste(' and 3');
      await chat.tmux.shows('I write yyy 2 and 3');
      await chat.tmux.shows('Enter: send the message');
      await chat.tmux.type('', 'Enter');
      await chat.tmux.shows('The tool has ended.');
      await chat.tmux.shows('The call was not run: the user wrote.');
      await chat.tmux.shows('❯ I write yyy 2 and 3');
      assert.equal(count(journal.lines.join('\n'), 'call files'), 0);
      await chat.quit();
    },
  );

  test(
    'two messages that are typed while a question comes approve nothing',
    limited,
    async (context) => {
      const { chat, journal } = await opened(context, answerTo);
      await chat.tmux.type('use write', 'Enter');
      // On a busy computer the question may come between two keys. Then it is shown, and takes no letters.
      let typed = '';
      for (let screen = ''; !/A question comes when you pause|Allow once/.test(screen); ) {
        await chat.tmux.type('o');
        typed += 'o';
        screen = await chat.tmux.screen();
      }
      await chat.tmux.type('', 'Enter', 'Enter', 'y', 'e', 's');
      await chat.tmux.shows('The call was not run: the user wrote.');
      await chat.tmux.shows(
        new RegExp(`❯ ${typed}\\n[\\s\\S]*The tool has ended\\.[\\s\\S]*\\nyes`),
      );
      assert.equal(count(journal.lines.join('\n'), 'call files'), 0);
    },
  );
});
