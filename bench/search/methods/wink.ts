import { createRequire } from 'node:module';
import type { Method } from '../method.ts';
import { splitIdentifiers, textFields } from './text.ts';

/** A step that prepares text. The steps of a pipeline fit each other. */
type PrepareStep = (input: never) => unknown;

/** What is used of the package, which has no types. */
interface WinkSearch {
  defineConfig(config: { readonly fldWeights: Readonly<Record<string, number>> }): void;
  definePrepTasks(tasks: readonly PrepareStep[]): void;
  addDoc(fields: Readonly<Record<string, string>>, id: number): void;
  consolidate(): void;
  search(query: string, limit: number): readonly (readonly [id: string, score: number])[];
}

interface WinkUtilities {
  readonly string: { readonly lowerCase: PrepareStep; readonly tokenize0: PrepareStep };
  readonly tokens: {
    readonly removeWords: PrepareStep;
    readonly stem: PrepareStep;
    readonly propagateNegations: PrepareStep;
  };
}

const require = createRequire(import.meta.url);

export const wink: Method = {
  id: 'wink',
  title: 'wink-bm25-text-search 3.1.2',
  isOurs: false,
  index(tools) {
    const create: () => WinkSearch = require('wink-bm25-text-search');
    const { string, tokens }: WinkUtilities = require('wink-nlp-utils');
    const engine = create();
    engine.defineConfig({ fldWeights: { name: 2, description: 1, parameters: 1 } });
    engine.definePrepTasks([
      ...[string.lowerCase, string.tokenize0],
      ...[tokens.removeWords, tokens.stem, tokens.propagateNegations],
    ]);
    for (const [n, tool] of tools.entries()) {
      const { name, server, description, parameters } = textFields(tool);
      engine.addDoc({ name: `${server} ${name}`, description, parameters }, n);
    }
    engine.consolidate();
    return {
      search: (query, limit) => {
        const hits = engine.search(splitIdentifiers(query), limit);
        return { keys: hits.map(([n]) => tools[Number(n)]?.key ?? '') };
      },
    };
  },
};
