import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages, targetOf } from '../scripts/packages.ts';
import { root, trackedFiles } from './tree.ts';

/** An exported name of a source file, and the files beside it that read it. */
export interface ReadExport {
  readonly file: string;
  readonly name: string;
  readonly readers: readonly string[];
  /**
   * Whether it is a type that its own file uses: it describes what a function there takes or returns,
   * for whoever calls that.
   */
  readonly isOfSignature: boolean;
}

const FOLDERS = ['packages/', 'test/', 'bench/', 'scripts/', 'examples/'];
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type) (\w+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm;
const IMPORTED = /\bimport (?:type )?\{([^}]*)\} from '([^']+)'/g;
const WHOLE =
  /\bimport \* as \w+ from '([^']+)'|\bimport\(\s*'([^']+)'\s*\)|export \* from '([^']+)'/g;

const isTest = (file: string): boolean =>
  !file.startsWith('packages/') || /\.test(-support)?\.ts$/.test(file);

/** Every exported name of the sources, with its readers. Tests and benchmarks are readers too. */
export function readExports(): ReadExport[] {
  const files = FOLDERS.flatMap((folder) => [
    ...trackedFiles(folder, '.ts'),
    ...trackedFiles(folder, '.svelte'),
  ]);
  const texts = new Map(files.map((file) => [file, codeOf(file)]));
  const readers = new Map<string, Set<string>>();
  const add = (file: string, specifier: string, name: string): void => {
    const key = `${targetOf(file, specifier)} ${name}`;
    const found = readers.get(key) ?? new Set<string>();
    readers.set(key, found.add(file));
  };
  const exported = new Map<string, string[]>();
  for (const [file, text] of texts)
    if (!isTest(file) && file.endsWith('.ts')) exported.set(file, exportsOf(text));
  for (const [file, text] of texts) {
    for (const [, names = '', specifier] of [...text.matchAll(IMPORTED), ...text.matchAll(LISTED)])
      if (specifier !== undefined) for (const { name } of listed(names)) add(file, specifier, name);
    for (const [, ...specifiers] of text.matchAll(WHOLE)) {
      const specifier = specifiers.find((one) => one !== undefined) ?? '';
      // Which names of a module are read that comes as one object: those that the text has.
      for (const name of exported.get(targetOf(file, specifier)) ?? [])
        if (new RegExp(`\\b${name}\\b`).test(text)) add(file, specifier, name);
    }
  }
  return [...exported].flatMap(([file, names]) =>
    names.map((name) => ({
      file,
      name,
      readers: [...(readers.get(`${file} ${name}`) ?? [])],
      isOfSignature: isOfSignature(texts.get(file) ?? '', name),
    })),
  );
}

function isOfSignature(text: string, name: string): boolean {
  const isType = new RegExp(`^export (interface|type) ${name}\\b`, 'm').test(text);
  return isType && [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
}

function exportsOf(text: string): string[] {
  return [
    ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
    ...[...text.matchAll(LISTED)].flatMap(([, names = '']) => listed(names).map(({ as }) => as)),
  ];
}

/** The names between the braces of an import or export. */
function listed(names: string): { name: string; as: string }[] {
  return names
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', as = name] = one.split(/\s+as\s+/);
      return { name, as };
    });
}

/** The sources of the public entries, by their specifiers. */
export const ENTRIES: ReadonlyMap<string, string> = new Map(
  packages().flatMap(([, manifest]) =>
    Object.keys(manifest.exports)
      .filter((path) => !/\*|\.(json|bin)$/.test(path))
      .map((path) => `${manifest.name}${path.slice(1)}`)
      .map((specifier) => [specifier, targetOf('', specifier)]),
  ),
);

function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
