/**
 * Records in which order the functions of a folder are entered. Modules that are imported after
 * `followEntries` get a call at the start of each function body. The compiler says where the bodies are,
 * because the inspector counts calls but does not order them.
 */
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { isBlock, isFunctionLikeDeclaration } from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '../..');

/** A function in the sources. */
export interface Place {
  /** From the root of the checkout. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Its name, or that of the variable or property that holds it. Empty for other callbacks. */
  readonly name: string;
}

const places: Place[] = [];
let entered: Place[] | undefined;

function onEntry(at: number): void {
  const place = places[at];
  if (place) entered?.push(place);
}

/** Follows the functions of the files in a folder of the checkout, tests left out. */
export function followEntries(folder: string): void {
  Object.assign(globalThis, { __entered: onEntry });
  const sources = new Map<string, string>();
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] });
    const program = snapshot.getProjects()[0]?.program;
    for (const path of program?.getSourceFileNames() ?? []) {
      const file = relative(root, path);
      if (!file.startsWith(`${folder}/`) || /\.test(-support)?\.ts$/.test(file)) continue;
      const source = program?.getSourceFile(path);
      if (source) sources.set(pathToFileURL(path).href, withCalls(source, source.text, file));
    }
  } finally {
    api.close();
  }
  if (sources.size === 0) throw new Error(`The project has no source in ${folder}/.`);
  registerHooks({
    load(url, context, nextLoad) {
      const source = sources.get(url);
      if (source === undefined) return nextLoad(url, context);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

/** The functions that are entered until the work is done, in order. */
export async function entriesOf(work: () => Promise<void>): Promise<readonly Place[]> {
  const all: Place[] = [];
  entered = all;
  try {
    await work();
  } finally {
    entered = undefined;
  }
  return all;
}

/** The text of a file with a call at the start of each function body. */
function withCalls(source: Node, text: string, file: string): string {
  const added: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: Node, holder: Node): void => {
    if (isFunctionLikeDeclaration(node) && node.body) {
      const { body } = node;
      const begin = body.getStart();
      const call = `globalThis.__entered(${places.length})`;
      const lines = text.slice(0, node.getStart()).split('\n');
      const column = (lines.at(-1)?.length ?? 0) + 1;
      places.push({ file, line: lines.length, column, name: nameOf(node) || nameOf(holder) });
      if (isBlock(body)) added.push({ at: begin + 1, text: `${call};` });
      else added.push({ at: begin, text: `(${call}, ` }, { at: body.end, text: ')' });
    }
    node.forEachChild((child) => visit(child, node));
  };
  visit(source, source);
  let whole = '';
  let done = 0;
  for (const { at, text: insertion } of added.sort((one, other) => one.at - other.at)) {
    whole += text.slice(done, at) + insertion;
    done = at;
  }
  return whole + text.slice(done);
}

function nameOf(node: Node): string {
  if (node.kind === SyntaxKind.Constructor) return 'constructor';
  const { name } = node as { readonly name?: Node };
  return name?.getText() ?? '';
}
