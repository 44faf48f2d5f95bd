import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { RoleSettings } from '@toolfold/config/internal/settings/tools.ts';
import { viewOf } from '@toolfold/core/internal/registry/view.ts';
import type { KnownTools } from '@toolfold/core/internal/session/layer.ts';
import { canonicalName, groupSlug } from '@toolfold/core/internal/tool/names.ts';
import { type Addressed, matchesTool } from '@toolfold/core/internal/values/glob.ts';
import { KNOWN_SERVERS, OFFICE_SERVERS } from './known-servers.ts';
import { BUILT_IN_ROLES, emptyRoleWarning, rolesWith } from './roles.ts';

function serverTools(server: string, names: readonly string[]): Addressed[] {
  const groupId = `mcp:${server}`;
  return names.map((bare) => ({ name: canonicalName(groupSlug(groupId), bare), bare, groupId }));
}

function own(name: string): Addressed {
  return { name, bare: name, groupId: undefined };
}

function allowed(role: string, tools: readonly Addressed[], roles = BUILT_IN_ROLES): string[] {
  return tools.filter(viewOf(roles, role).allows).map(({ name }) => name);
}

const filesystem = serverTools('filesystem', ['read_file', 'list_directory', 'write_file']);
const github = serverTools('github', ['create_issue', 'fork_repository']);
const brave = serverTools('brave-search', ['brave_web_search']);
const database = serverTools('postgres', ['query']);
const everything = [...filesystem, ...github, ...brave, ...database, own('web_search'), own('pay')];

suite('built-in roles', () => {
  test('the tools of each role', () => {
    assert.deepEqual(allowed('chat', everything), []);
    assert.deepEqual(allowed('distill', everything), []);
    assert.equal(allowed('admin', everything).length, everything.length);
    assert.deepEqual(allowed('research', everything), [
      'filesystem__read_file',
      'filesystem__list_directory',
      'brave-search__brave_web_search',
      'web_search',
    ]);
    assert.deepEqual(allowed('coder', everything), [
      'filesystem__read_file',
      'filesystem__list_directory',
      'filesystem__write_file',
      'github__create_issue',
      'github__fork_repository',
    ]);
    assert.deepEqual(allowed('orchestrator', everything), [
      'filesystem__read_file',
      'filesystem__list_directory',
      'github__create_issue',
      'brave-search__brave_web_search',
      'web_search',
    ]);
  });

  test('a server gains no rights by the names of its tools', () => {
    const names = Object.values(BUILT_IN_ROLES)
      .flatMap(({ tools }) => tools || [])
      .map((glob) => glob.replace('mcp:', '').replaceAll('*', 'x'));
    const hostile = names.flatMap((name) => [name, `mcp:${name}`, name.replace('/', '__')]);
    const tools = serverTools('unknown-server', hostile);
    for (const role of ['chat', 'distill', 'research', 'coder', 'orchestrator']) {
      assert.deepEqual(allowed(role, tools), [], role);
    }
  });

  test('a role that reads files gets no process tools of a server that has both', () => {
    const looking = ['read_file', 'read_multiple_files', 'list_directory', 'start_search'];
    const others = 'read_process_output list_processes list_sessions start_process write_file';
    const tools = serverTools('desktop-commander', [...looking, ...others.split(' ')]);
    for (const role of ['research', 'orchestrator'])
      assert.deepEqual(
        allowed(role, tools),
        looking.map((name) => `desktop-commander__${name}`),
      );
    assert.deepEqual(allowed('coder', tools).length, tools.length);
  });

  test('a server whose name only starts like that of a well-known server is a different server', () => {
    const named = 'exact-science example zeplin signalfx bingo docstore jinaga mailchimp';
    const tools = named
      .split(' ')
      .flatMap((server) => serverTools(server, ['search', 'read_file']));
    for (const role of ['research', 'coder', 'orchestrator'])
      assert.deepEqual(allowed(role, tools), [], role);
    const real =
      'exa exa-search zep signal bing-search docs docs-rs jina mail mail-work github-work';
    for (const server of real.split(' ')) {
      const tool = serverTools(server, ['list_issues']);
      const roles = ['research', 'coder', 'orchestrator'].filter(
        (role) => allowed(role, tool).length,
      );
      assert.ok(roles.length > 0, server);
    }
  });

  test('patterns of known servers match from the start of an id', () => {
    for (const glob of [...Object.values(KNOWN_SERVERS).flat(), ...OFFICE_SERVERS]) {
      assert.match(glob, /^mcp:[a-z0-9][a-z0-9_-]+\*?$/);
    }
  });

  test('roles that work in many steps have more rounds', () => {
    const rounds = Object.entries(BUILT_IN_ROLES).filter(([, { maxRounds }]) => maxRounds);
    assert.deepEqual(rounds.map(([role]) => role).sort(), ['coder', 'orchestrator']);
    assert.ok(rounds.every(([, { maxRounds }]) => (maxRounds ?? 0) > 5));
  });
});

suite("the user's roles", () => {
  test('a list replaces the default list', () => {
    const roles = rolesWith({ coder: { tools: ['mcp:postgres'] }, chat: { tools: ['pay'] } });
    assert.deepEqual(allowed('coder', everything, roles), ['postgres__query']);
    assert.deepEqual(allowed('chat', everything, roles), ['pay']);
  });

  test('false and an empty list mean no tools, also for a role with a default list', () => {
    const roles = rolesWith({ coder: { tools: false }, research: { tools: [] } });
    assert.deepEqual(allowed('coder', everything, roles), []);
    assert.deepEqual(allowed('research', everything, roles), []);
  });

  test('a built-in role that only gets a model keeps its tools', () => {
    const roles = rolesWith({ chat: { model: 'local/small' }, coder: { maxRounds: 7 } });
    assert.deepEqual(roles.chat, { ...roles.chat, tools: false, model: 'local/small' });
    assert.deepEqual(allowed('chat', everything, roles), []);
    assert.equal(roles.coder?.maxRounds, 7);
    assert.deepEqual(allowed('coder', everything, roles), allowed('coder', everything));
  });

  test('a new role without a list has all tools, whatever its name', () => {
    const user = JSON.parse('{"mine": {}, "constructor": {"tools": ["pay"]}, "__proto__": {}}');
    const roles = rolesWith(user);
    assert.equal(allowed('mine', everything, roles).length, everything.length);
    assert.deepEqual(allowed('constructor', everything, roles), ['pay']);
    assert.equal(allowed('__proto__', everything, roles).length, everything.length);
    assert.deepEqual(rolesWith({}), BUILT_IN_ROLES);
  });
});

const warningOf = (
  role: string,
  tools: KnownTools['tools'],
  roles: Readonly<Record<string, RoleSettings>> = BUILT_IN_ROLES,
) => emptyRoleWarning(roles, role, { tools, unnamed: [] });
const warning = (role: string, what: string) =>
  `The role "${role}" names tools, but no available tool matches ${what}. Check its tool patterns and the connected servers.`;

suite('roles that name missing tools', () => {
  test('some globs match nothing, all match nothing, or all match', () => {
    const roles = {
      fine: { tools: ['pay', 'mcp:github/*'] },
      some: { tools: ['pay', 'mcp:gitlab'], groups: ['mcp:github', 'mcp:gone'] },
      none: { tools: ['mcp:gitlab', 'create_issue'] },
      cut: { tools: ['mcp:github'], groups: ['mcp:postgres'] },
      off: { tools: false as const },
      empty: { tools: [] },
      all: {},
    };
    const warned = Object.keys(roles).map((role) => [role, warningOf(role, everything, roles)]);
    assert.deepEqual(
      warned.filter(([, warning]) => warning !== undefined),
      [
        ['none', warning('none', 'mcp:gitlab, create_issue')],
        ['cut', warning('cut', 'mcp:github, mcp:postgres')],
      ],
    );
  });

  test('without any tools, every role that names tools is reported', () => {
    const empty = Object.keys(BUILT_IN_ROLES).filter((role) => warningOf(role, []) !== undefined);
    assert.deepEqual(empty, ['research', 'coder', 'orchestrator', 'admin']);
    assert.equal(warningOf('admin', []), warning('admin', 'any tool'));
  });
});

const catalogs = new URL('../../../../../shared/catalogs/', import.meta.url);
const skip = existsSync(catalogs) ? false : 'no ../shared/catalogs beside this checkout';

test('each built-in role finds something sensible on real tool lists', { skip }, () => {
  const tools = readdirSync(catalogs)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(new URL(file, catalogs), 'utf8')))
    .flatMap(({ server, tools: list }) =>
      serverTools(
        server,
        list.map(({ name }: { name: string }) => name),
      ),
    );
  const share = (role: string) => allowed(role, tools).length / tools.length;
  const uses = (role: string, tool: string) => allowed(role, tools).includes(tool);
  assert.equal(share('chat'), 0);
  assert.equal(share('distill'), 0);
  assert.equal(share('admin'), 1);
  for (const role of ['research', 'coder', 'orchestrator']) {
    assert.ok(share(role) > 0 && share(role) < 0.5, `${role}: ${share(role)}`);
  }
  assert.ok(uses('research', 'tavily__tavily_search') && uses('research', 'context7__query-docs'));
  assert.ok(uses('research', 'filesystem__read_file'));
  assert.ok(!uses('research', 'filesystem__write_file') && !uses('research', 'git__git_push'));
  assert.ok(uses('coder', 'git__git_commit') && uses('coder', 'eslint__lint-files'));
  assert.ok(uses('coder', 'desktop-commander__start_process'));
  assert.ok(!uses('coder', 'gmail__send_email') && !uses('coder', 'mysql__mysql_query'));
  assert.ok(uses('orchestrator', 'jira__jira_get') && uses('orchestrator', 'gmail__send_email'));
  assert.ok(uses('orchestrator', 'ms-365__create-calendar-event'));
  assert.ok(!uses('orchestrator', 'desktop-commander__start_process'));
  for (const role of Object.keys(BUILT_IN_ROLES)) assert.equal(warningOf(role, tools), undefined);
  // Each tool pattern of a role matches a tool of some server of that kind.
  const parts = (glob: string): [string, string] => {
    const slash = glob.lastIndexOf('/');
    return [glob.slice(0, slash), glob.slice(slash + 1)];
  };
  for (const [role, { tools: globs }] of Object.entries(BUILT_IN_ROLES)) {
    const named = (globs || []).filter((glob) => glob.includes('/'));
    const found = new Set(
      named
        .filter((glob) => tools.some((tool) => matchesTool(glob, tool)))
        .map((glob) => parts(glob)[1]),
    );
    const vain = named.map((glob) => parts(glob)[1]).filter((part) => !found.has(part));
    assert.deepEqual([...new Set(vain)], [], role);
  }
  assert.ok(!uses('research', 'desktop-commander__read_process_output'));
});
