/**
 * Writes the sample outputs of the documents: runs every program and command, and writes its output
 * into the blocks marked `<!-- output: … -->`. Run: `npm run outputs`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommands, runPrograms, writeSnippets } from '../test/snippet-project.ts';
import { documents, fileOf, placeOf, snippetsOf } from '../test/snippets.ts';
import { link, linkModules, root } from '../test/tree.ts';
import { packages } from './packages.ts';

const snippets = documents.flatMap(snippetsOf);
const folder = mkdtempSync(join(tmpdir(), 'toolfold-outputs-'));
try {
  linkModules(folder);
  for (const [place, { name }] of packages())
    link(join(root, place), join(folder, 'node_modules', name));
  writeSnippets(folder, snippets);
  const runs = [...(await runPrograms(folder, snippets)), ...(await runCommands(folder, snippets))];
  for (const { snippet, output, error } of runs) {
    if (error !== undefined) throw new Error(`${placeOf(snippet)}: ${error}\n${output}`);
    const names = [fileOf(snippet), snippet.text.trim()];
    const file = join(root, `${snippet.page}.md`);
    for (const name of names) {
      const text = readFileSync(file, 'utf8');
      const [before, after] = text.split(`<!-- output: ${name} -->\n\`\`\`text\n`);
      if (after === undefined) continue;
      const rest = after.slice(/^```$/m.exec(after)?.index ?? 0);
      const lines = output.replaceAll(/ +$/gm, '').trim();
      writeFileSync(file, `${before}<!-- output: ${name} -->\n\`\`\`text\n${lines}\n${rest}`);
      console.log(`${snippet.page}.md: ${name}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
