import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { FOLD_OPTIONS, WITH_OPTIONS } from '../packages/ai-sdk/src/fold/check-options.ts';
import { command } from '../packages/toolfold/test/cli/in-process.test-support.ts';
import { REGIONS } from '../scripts/figures.ts';
import { documents } from './snippets.ts';
import { root, trackedFiles } from './tree.ts';

/** A line that runs a package: its options, and its name. */
const RUNS =
  /\b(?:npx|bunx|pnpx|npm exec|npm x|pnpm dlx|yarn dlx)\b((?:[\s",:[]|args|--?[\w=-]+)*?[\s"])([@a-z][\w@/.-]*)/;

/** Commands of npm itself. */
const NPM = ['run', 'ci', 'init', 'install', 'pack', 'pkg'];

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const range = (letter: string, last: number) =>
  Array.from({ length: last }, (_, n) => `${letter}${n + 1}`);

describe('documents', () => {
  test('every file that they name exists', () => {
    for (const document of [...documents, 'DESIGN.md', 'CHANGELOG.md', 'CONTRIBUTING.md']) {
      const named = read(document).matchAll(
        /[`(]((?:packages|test|bench|examples|scripts)\/[\w./-]*)[`)]/g,
      );
      for (const [, file = ''] of named)
        assert.ok(existsSync(join(root, file)), `${document}: ${file}`);
    }
  });

  test('every link between them leads to an existing page and heading', () => {
    for (const document of [...documents, 'DESIGN.md', 'CHANGELOG.md', 'CONTRIBUTING.md']) {
      for (const { link, target, heading } of links(document)) {
        assert.ok(existsSync(join(root, target)), `${document}: ${link}`);
        if (heading !== undefined)
          assert.ok(headings(target).includes(heading), `${document}: ${link}`);
      }
    }
  });

  test('a package that npx would ask a registry for is named with its scope', () => {
    for (const document of documents) {
      const given = read(document).matchAll(/"command":\s*"npx",\s*"args":\s*(\[[^\]]*\])/g);
      for (const [, list = ''] of given) {
        const words: string[] = JSON.parse(list);
        const name = words.find((word) => !word.startsWith('-'));
        assert.match(name ?? '', /^@[\w-]+\//, `${document}: ${list}`);
      }
    }
  });

  test('no line runs a package that is not published: npx may not ask a registry for it', () => {
    const files = ['packages/', 'examples/', 'scripts/'].flatMap((folder) => [
      ...trackedFiles(folder, '.ts'),
      ...trackedFiles(folder, '.js'),
    ]);
    const pages = [...documents, 'DESIGN.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];
    for (const file of [...pages, ...files.filter((one) => !one.includes('.test'))])
      for (const line of read(file).split('\n')) {
        const [, options = '', name = ''] = RUNS.exec(line) ?? [];
        const isOurs = /^(?:toolfold|@toolfold\/.*|some-.*)$/.test(name);
        assert.ok(!isOurs || /(?:^|[\s",])--no-install[\s",]/.test(options), `${file}: ${line}`);
      }
  });

  test('the README of a package is read without the repository, so it has no links into it', () => {
    for (const document of documents.filter((one) => /^packages\/.*README\.md$/.test(one)))
      assert.deepEqual(links(document), [], document);
  });

  test('links lead from the README to every page for users, and CONTRIBUTING names every page for contributors', () => {
    const reached = new Set(['README.md']);
    for (const document of reached) {
      for (const { target } of links(document)) if (documents.includes(target)) reached.add(target);
    }
    const contributing = links('CONTRIBUTING.md').map(({ target }) => target);
    for (const page of documents) {
      const isFound = isForContributors(page) ? contributing.includes(page) : reached.has(page);
      assert.ok(isFound, page);
    }
  });

  test('no page for users leads to a page for contributors', () => {
    for (const page of documents.filter((page) => page.startsWith('docs/'))) {
      if (isForContributors(page)) continue;
      for (const { link, target } of links(page))
        assert.ok(target !== 'CONTRIBUTING.md' && !isForContributors(target), `${page}: ${link}`);
    }
  });

  test('every feature of the systems that Toolfold combines has a row with its place and its test', () => {
    const rows = new Map(
      [...read('docs/contributing/features.md').matchAll(/^\| ([FCHI]\d+[a-z]?) \|(.+)$/gm)].map(
        (row) => [row[1] ?? '', row[2] ?? ''],
      ),
    );
    const parts = [...'abcdefghijklmno'].map((part) => `F21${part}`);
    const expected = [...range('F', 20), ...parts, 'F24', ...range('C', 32), ...range('H', 17)];
    assert.deepEqual([...rows.keys()], [...expected, ...range('I', 15), 'I18']);
    for (const [name, row] of rows) {
      const [, , where = '', proof = ''] = row.split('|');
      assert.match(where, /`(packages|bench)\//, name);
      assert.match(proof, /`packages\/.*\.test\.ts`/, name);
    }
  });

  test('every command that they name exists in the package', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const document of [...documents, 'CONTRIBUTING.md']) {
      for (const [, name = ''] of read(document).matchAll(/npm (?:run )?([\w:-]+)/g)) {
        const isOwn = !NPM.includes(name);
        assert.ok(!isOwn || name in scripts, `${document}: npm run ${name}`);
      }
    }
  });

  test('every flag of the command line is on its page', async () => {
    const page = read('docs/command-line.md');
    for (const name of [
      ...['init', 'list', 'call', 'inspect', 'search', 'audit', 'trust', 'run', 'chat'],
      ...['web', 'acp', 'serve', 'login', 'logout', 'completion'],
      ...['ls', 'show', 'export', 'import', 'rm', 'doctor'].map((below) => `sessions ${below}`),
    ]) {
      const { stdout } = await command(root, [...name.split(' '), '--help']);
      assert.match(stdout, /--help/);
      for (const [, flag = ''] of stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm))
        assert.ok(flag === '--help' || page.includes(flag), `${name} ${flag}`);
    }
  });

  test('every option of createFold and of fold.with is on their page', () => {
    const [, page = ''] = read('docs/ai-sdk.md').split('## Options of createFold');
    const [, ofWith = ''] = page.split('| option of `fold.with` |');
    const rows = ofWith.split('\n\n')[0] ?? '';
    for (const name of Object.keys(FOLD_OPTIONS)) assert.ok(page.includes(`\`${name}\``), name);
    for (const name of Object.keys(WITH_OPTIONS)) assert.ok(rows.includes(`\`${name}\``), name);
  });

  test('every table of figures has its place', () => {
    for (const { document, name } of REGIONS)
      assert.match(read(document), new RegExp(`<!-- figures: ${name} -->\\n\\|`));
  });
});

/** The links of a document to files of the project. */
function links(document: string): { link: string; target: string; heading: string | undefined }[] {
  return [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^https?:/.test(link)) return [];
    const [path = '', heading] = link.split('#');
    return { link, target: path === '' ? document : join(dirname(document), path), heading };
  });
}

/** Whether a page is for people who work on the project. */
function isForContributors(page: string): boolean {
  return page.startsWith('docs/contributing/');
}

/** The document without its code. */
function prose(document: string): string {
  return read(document).replace(/^```[\s\S]*?^```$/gm, '');
}

/** The headings of a document as GitHub names them in links. */
function headings(document: string): string[] {
  return [...prose(document).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
