import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { command } from '../../test/cli/in-process.test-support.ts';
import { home, type Outcome } from '../../test/cli/process.test-support.ts';
import {
  configOf,
  Journal,
  type ScriptedTool,
} from '../../test/servers/scripted-server.test-support.ts';

const limited = { timeout: 60_000 };

const github: readonly ScriptedTool[] = [
  { name: 'create_issue', description: 'Creates an issue in a repository. It needs a title.' },
  { name: 'close_issue', description: 'Closes an issue.' },
  { name: 'for_apps', _meta: { ui: { visibility: ['app'] } } },
];
const mail: readonly ScriptedTool[] = [
  { name: 'send_mail', description: 'Sends an email to a person.' },
  { name: 'purge', description: 'Deletes all mail.' },
];

interface Scene {
  readonly journal: Journal;
  readonly list: (...args: string[]) => Promise<Outcome>;
  /** Lists the tools of the first two servers. */
  readonly learn: () => Promise<Outcome>;
}

async function scene(
  context: TestContext,
  more: Readonly<Record<string, object>> = {},
): Promise<Scene> {
  const journal = await Journal.open(context);
  const servers = {
    github: journal.entry('github', github),
    mail: journal.entry('mail', mail),
    ...more,
  };
  const exposure = { 'mail__purge*': 'hidden' };
  const { github: one, mail: other } = servers;
  const folder = await home(context, {
    'c.json': configOf(servers, { exposure }),
    'known.json': configOf({ github: one, mail: other }),
  });
  return {
    journal,
    list: (...args) => command(folder, ['list', '--config', 'c.json', ...args]),
    learn: () => command(folder, ['list', '--config', 'known.json']),
  };
}

const starts = ({ lines }: Journal): readonly string[] =>
  lines.filter((line) => /^start/.test(line));

suite('list', () => {
  test(
    'servers start once; later runs use their lists until --refresh',
    limited,
    async (context) => {
      const { journal, list } = await scene(context);
      const first = await list();
      assert.equal(first.code, 0, first.stderr);
      assert.match(
        first.stdout,
        /^Server +State +Tools +Listed\ngithub +ready +3 +now\nmail +ready +2 +now\n/,
      );
      assert.match(
        first.stdout,
        /\ngithub\n {2}github__create_issue {2}Creates an issue in a repository\n/,
      );
      assert.doesNotMatch(first.stdout, /purge|for_apps/);
      assert.match(first.stderr, /^2 tools hidden from models; --all lists them\.$/m);
      const second = await list('--all');
      assert.match(second.stdout, /^github +idle +3 +now$/m);
      assert.match(
        second.stdout,
        /^ {2}github__for_apps +\(hidden: its server keeps it from models\)/m,
      );
      assert.match(
        second.stdout,
        /^ {2}mail__purge +\(hidden: rule "mail__purge\*"\) Deletes all mail$/m,
      );
      assert.equal(starts(journal).length, 2);
      const third = await list('--refresh');
      assert.match(third.stdout, /^github +ready +3 +now$/m);
      assert.equal(starts(journal).length, 4);
      await journal.allGone();
    },
  );

  test(
    'rows of servers that are not ready: 3, and the others are listed',
    limited,
    async (context) => {
      const hung = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'] };
      const { list, learn } = await scene(context, {
        absent: { command: 'toolfold-no-such-program' },
        wrong: { args: [] },
        hung: { ...hung, startSeconds: 600 },
        off: { command: 'x', disabled: true },
      });
      await learn();
      const { code, stdout } = await list('--json', '--timeout', '3');
      assert.equal(code, 3);
      const { servers, tools, source } = JSON.parse(stdout);
      assert.equal(source, 'c.json');
      assert.deepEqual(
        servers.map((row: { name: string; state: string; tools?: number }) => [
          row.name,
          row.state,
          row.tools,
        ]),
        [
          ['github', 'idle', 3],
          ['mail', 'idle', 2],
          ['absent', 'failed', 0],
          ['wrong', 'failed', 0],
          ['hung', 'connecting', 0],
          ['off', 'disabled', undefined],
        ],
      );
      assert.match(servers[4].reason, /not ready after 3 s/);
      assert.ok(servers.slice(2, 5).every((row: { remedy?: string }) => row.remedy));
      assert.deepEqual(tools[0], {
        name: 'github__create_issue',
        server: 'github',
        tool: 'create_issue',
        description: 'Creates an issue in a repository. It needs a title.',
      });
    },
  );

  test('the advice to wait longer repeats the words of the command', limited, async (context) => {
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'] };
    const { list } = await scene(context, { silent });
    const { code, stderr } = await list('silent*', "it's", '--timeout', '1');
    assert.equal(code, 3);
    assert.match(stderr, /To wait longer: toolfold list 'silent\*' 'it'\\''s' --timeout 30$/m);
  });

  test('--state shows the servers alone', limited, async (context) => {
    const { list } = await scene(context);
    const { code, stdout, stderr } = await list('--state');
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout.split('\n').length, 4);
    const { tools } = JSON.parse((await list('--state', '--json')).stdout);
    assert.equal(tools, undefined);
  });

  test('queries', limited, async (context) => {
    const { list } = await scene(context);
    const cases: readonly (readonly [string, readonly string[], RegExp?, number?])[] = [
      ['github', ['github__create_issue', 'github__close_issue']],
      ['create_issue', ['github__create_issue']],
      ['github/close_issue', ['github__close_issue']],
      ['mcp:github/c*', ['github__create_issue', 'github__close_issue']],
      ['*_mail', ['mail__send_mail']],
      ['send an email', ['mail__send_mail']],
      ['*purge*', []],
      [
        'github__crate_issue*',
        [],
        /No tool matches "github__crate_issue\*"\. Near: github__create_issue/,
      ],
      ['zzzz qqqq', [], /^No tool matches "zzzz qqqq"\.$/m],
      ['zzzzqq', [], /^No tool matches "zzzzqq"\.$/m, 2],
      ['mail.zzzzqq', [], /^No tool matches "mail\.zzzzqq"\.$/m, 2],
      ['github__zzzzqq', [], /^No tool matches "github__zzzzqq"\.$/m, 2],
      ['mail/purge', [], /hidden from models/m, 2],
      ['mail.zzzzqq*', [], /^No tool matches/m],
    ];
    for (const [query, expected, note = /./, exit = 0] of cases) {
      const { code, stdout, stderr } = await list('--json', ...query.split(' '));
      const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
      assert.deepEqual([code, names], [exit, expected], query);
      assert.match(stderr, note);
    }
  });

  test('wrong use: 2', limited, async (context) => {
    const folder = await home(context, { 'c.json': '{ "mcpServers": {} }' });
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /No MCP servers are configured\. .*toolfold init .*Searched:/],
      [['--config', 'c.json'], /There are no servers in c\.json\. List them under "mcpServers"/],
      [['--config', 'c.json', '--config', 'd.json'], /Give one file/],
      [['--timeout', 'x'], /seconds above 0/],
      [['--bogus'], /See toolfold list --help/],
    ];
    for (const [args, expected] of cases) {
      const { code, stdout, stderr } = await command(folder, ['list', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, expected);
    }
  });
});
