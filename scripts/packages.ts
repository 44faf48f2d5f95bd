/** The packages of the workspace, what they export, and what they import from each other. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What a subpath of a package leads to: a file, or one for each condition. */
export type Target = string | Readonly<Record<string, string>>;

/** The parts of a `package.json` that are read here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** Not published: its build becomes a part of another package. */
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const PACKAGES: readonly [folder: string, manifest: Manifest][] = readPackages();

/** The folder of each package that is published, from the root, and its manifest. */
export function packages(): readonly [folder: string, manifest: Manifest][] {
  return PACKAGES;
}

function readPackages(): [folder: string, manifest: Manifest][] {
  return globSync('packages/*/package.json', { cwd: root })
    .sort()
    .map((file): [string, Manifest] => [file.slice(0, -'/package.json'.length), readJson(file)])
    .filter(([, manifest]) => manifest.private !== true);
}

function readJson(file: string): Manifest {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

/** What a subpath leads to in a checkout. Throws if the package does not export it. */
export function sourceOf({ name, exports }: Manifest, path: string): Target {
  const exact = exports[path];
  if (exact !== undefined) return exact;
  // Node takes the longest pattern that matches.
  const patterns = Object.entries(exports).sort(([a], [b]) => b.length - a.length);
  for (const [pattern, target] of patterns) {
    const [begin = '', end] = pattern.split('*');
    if (end === undefined || !path.startsWith(begin) || !path.endsWith(end)) continue;
    const part = path.slice(begin.length, path.length - end.length);
    if (typeof target === 'string') return target.replace('*', part);
  }
  throw new Error(`${name} has no subpath ${path}.`);
}

/** The files of code to which exports lead, each once. */
export function entriesOf(exports: Manifest['exports']): string[] {
  const files = Object.entries(exports).flatMap(([path, target]) =>
    path.includes('*') ? [] : typeof target === 'string' ? [target] : Object.values(target),
  );
  return [...new Set(files.filter((file) => /(?<!\.d)\.[jt]s$/.test(file)))];
}

/** The files of a package that are built, without tests. */
export function sourcesOf(folder: string): string[] {
  return globSync([`${folder}/src/**/*.ts`, `${folder}/bin/*.js`], { cwd: root })
    .filter((file) => !/\.test(-support)?\.ts$/.test(file))
    .sort();
}

/** The modules that a file imports, types included. */
export function importsOf(file: string): string[] {
  const pattern = /(?:from|import)\s*\(?\s*'([^'\s]+)'/g;
  return [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, name = '']) => name);
}

/** The subpaths `./internal/…` of each package that other packages import, by its name. */
export function internalImports(): Map<string, string[]> {
  const used = new Map<string, Set<string>>();
  for (const file of packages().flatMap(([folder]) => sourcesOf(folder))) {
    for (const specifier of importsOf(file)) {
      const [, name, path] = /^(@toolfold\/[\w-]+|toolfold)\/(internal\/.*)$/.exec(specifier) ?? [];
      if (name === undefined) continue;
      used.set(name, (used.get(name) ?? new Set()).add(`./${path}`));
    }
  }
  return new Map([...used].map(([name, paths]) => [name, [...paths].sort()]));
}

/** The file that an import in a file means: one of the workspace, or the specifier itself. */
export function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const [folder, manifest] = packages().find(([, one]) => one.name === name) ?? [];
  if (folder === undefined || manifest === undefined) return specifier;
  const target = sourceOf(manifest, `.${specifier.slice(name.length)}`);
  return join(folder, typeof target === 'string' ? target : (target.default ?? ''));
}
