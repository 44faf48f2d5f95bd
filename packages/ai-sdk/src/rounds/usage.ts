import type { LanguageModelV4Usage } from '../protocol/index.ts';

type Counts = Readonly<Record<string, number | undefined>>;

/** The sum of the usage of several requests. A count that no request reports stays unknown. */
export function sumOfUsage(usages: readonly LanguageModelV4Usage[]): LanguageModelV4Usage {
  const [only] = usages;
  if (only && usages.length === 1) return only;
  return {
    inputTokens: sum(usages.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(usages.map(({ outputTokens }) => outputTokens)),
  } as LanguageModelV4Usage;
}

function sum(all: readonly Counts[]): Counts {
  const total: Record<string, number | undefined> = {};
  for (const counts of all)
    for (const [key, count] of Object.entries(counts))
      total[key] = count === undefined ? total[key] : (total[key] ?? 0) + count;
  return total;
}

/** The counts of one request as JSON, for metadata. */
export function usageAsJson({ inputTokens, outputTokens }: LanguageModelV4Usage): {
  inputTokens: Record<string, number>;
  outputTokens: Record<string, number>;
} {
  return { inputTokens: knownCounts(inputTokens), outputTokens: knownCounts(outputTokens) };
}

function knownCounts(counts: Counts): Record<string, number> {
  const entries = Object.entries(counts).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
