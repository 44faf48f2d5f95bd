import type { SearchHit, ToolSearch } from '../../../packages/core/src/search.ts';
import type { Query, QuerySet } from '../data.ts';
import { DEPTH, qualityOf } from '../quality.ts';
import { type Servers, toolsOf } from '../servers.ts';
import { type Half, halfOf, kindOf, type Need, type NeedKind } from './need.ts';

/** What a search says about one need. */
export interface Judged {
  readonly half: Half;
  readonly kind: NeedKind;
  /** The score of the first hit, 0 without hits. */
  readonly score: number;
  /** The same where the catalog lacks the right tools. 0 for a need that is not served. */
  readonly scoreWithout: number;
  /** 1 if the first hit, or one of the first 5, is a right tool. Else 0. */
  readonly r1: number;
  readonly r5: number;
}

/** What a search says about one query of a set with known right tools. */
export type JudgedSentence = Pick<Judged, 'score' | 'scoreWithout'>;

type Create = () => ToolSearch | Promise<ToolSearch>;

/** Asks each need over the tools of its servers. Needs with the same servers share an index. */
export async function judgeNeeds(
  create: Create,
  needs: readonly Need[],
  servers: Servers,
): Promise<Judged[]> {
  const judged = new Map<Need, Judged>();
  for (const group of Map.groupBy(needs, (need) => need.servers.join()).values()) {
    const search = await create();
    search.index(toolsOf(servers, group[0]?.servers ?? []));
    for (const need of group) judged.set(need, judgeNeed(search, need));
  }
  return needs.flatMap((need) => judged.get(need) ?? []);
}

function judgeNeed(search: ToolSearch, need: Need): Judged {
  const right = new Set(need.right);
  const hits = search.search(need.query, { limit: DEPTH, allows: everything });
  const { r1, r5 } = qualityOf(keysOf(hits), { needs: [right] });
  return {
    half: halfOf(need),
    kind: kindOf(need),
    score: hits[0]?.score ?? 0,
    scoreWithout: right.size === 0 ? 0 : scoreWithout(search, need.query, right),
    ...{ r1, r5 },
  };
}

/** Asks the queries of a set over its tools. All of them are served. */
export async function judgeSentences(
  create: Create,
  { tools, queries }: Pick<QuerySet, 'tools' | 'queries'>,
): Promise<JudgedSentence[]> {
  const search = await create();
  search.index(tools);
  return queries.map(({ text, needs }: Query) => {
    const [first] = search.search(text, { limit: 1, allows: everything });
    const right = new Set(needs.flatMap((need) => [...need]));
    return { score: first?.score ?? 0, scoreWithout: scoreWithout(search, text, right) };
  });
}

function scoreWithout(search: ToolSearch, query: string, right: ReadonlySet<string>): number {
  const [first] = search.search(query, { limit: 1, allows: (key) => !right.has(key) });
  return first?.score ?? 0;
}

/** A hit may stand for equal tools. The others count as hits after it. */
function keysOf(hits: readonly SearchHit[]): string[] {
  return hits.flatMap(({ key, twins = [] }) => [key, ...twins]);
}

/** The search may remember what one function allows, so all queries share it. */
const everything = () => true;
