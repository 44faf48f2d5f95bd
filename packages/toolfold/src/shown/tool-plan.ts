import { isRecallDeclared, RECALL } from '@toolfold/agent/internal/entries';
import type { ScreenTurn } from '@toolfold/agent/internal/events';
import type { AgentFold } from '@toolfold/agent/internal/options';
import { measure } from '@toolfold/core/internal/estimate.ts';
import { modelFromName } from '@toolfold/core/internal/models';
import { contextOf } from '@toolfold/core/internal/request';
import { definitionTokens, type StrategyChoice } from '@toolfold/core/internal/tool';
import { looseGlobs } from '@toolfold/core/internal/values';
import type { ServerPool } from '@toolfold/mcp/internal/pool';
import type { LanguageModel } from 'ai';

/** What a request holds of the tools under a strategy. */
export interface ToolPlan {
  /** Tools whose schemas stand in each request, and tools whose schemas load on demand. */
  readonly inline: number;
  readonly deferred: number;
  /** Tokens of schemas, bridge tools and catalog in a first request, and under `eager`. */
  readonly tokens: number;
  readonly eager: number;
}

/** What decides the plan. */
export interface PlanQuery {
  /** `provider/name`. */
  readonly model: string | undefined;
  /** Null for no role. */
  readonly role: string | null;
  /** Undefined: the configuration decides. */
  readonly strategy: StrategyChoice | undefined;
}

/** Milliseconds between a change of the tools and the next count. */
const PAUSE = 500;

/** Plans for the tools that are known now. They are counted in the background, and again when tools change. */
export class ToolPlans {
  readonly #fold: AgentFold;
  readonly #onChange: () => void;
  /** Undefined while nothing is counted. */
  #plans: Map<string, ToolPlan | undefined> | undefined;
  #schemas: ReadonlyMap<string, number> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { pool, fold }: { readonly pool: Pick<ServerPool, 'onChange'>; readonly fold: AgentFold },
    onChange: () => void,
  ) {
    this.#fold = fold;
    this.#onChange = onChange;
    pool.onChange(() => this.#later());
    this.#later();
  }

  /** The plan. Undefined while it is not known. */
  of(query: PlanQuery): ToolPlan | undefined {
    if (!this.#plans) return;
    const key = JSON.stringify(Object.values(query));
    if (!this.#plans.has(key)) this.#plans.set(key, planOf(this.#fold, query));
    return this.#plans.get(key);
  }

  /** The tokens of the schemas that came with a load. Undefined where it is not known. */
  tokensOf(loaded: Loaded): number | undefined {
    if (!this.#plans) return;
    this.#schemas ??= schemaTokens(this.#fold);
    let sum = 0;
    for (const name of namesIn(loaded, this.#fold)) sum += this.#schemas.get(name) ?? Number.NaN;
    return Number.isNaN(sum) ? undefined : sum;
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void measure(this.#fold.layer)
        .then(() => {
          this.#plans = new Map();
          this.#schemas = undefined;
          this.#onChange();
        })
        // What cannot be counted is not shown.
        .catch(() => {});
    }, PAUSE);
    this.#timer.unref();
  }
}

/** Schemas that came later. A load names tools as its group shows them, preloading as they are called. */
export type Loaded = { readonly group?: string; readonly tools: readonly string[] };

function namesIn({ group, tools }: Loaded, { layer }: AgentFold): readonly string[] {
  if (group === undefined) return tools;
  const { registry } = contextOf(layer).toolbox;
  return tools.map((name) => registry.find(group, name)?.name ?? name);
}

/** The tools whose schemas came in this conversation, since it was last compacted. */
export function loadedTools(turns: readonly ScreenTurn[], fold: AgentFold): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { notices } of turns)
    for (const notice of notices) {
      if (notice.type === 'compaction') names.clear();
      if (notice.type !== 'load' && notice.type !== 'preload') continue;
      for (const name of namesIn(notice, fold)) names.add(name);
    }
  return names;
}

/** The tokens of the schemas that are known, by the name of the tool. */
export function schemaTokens({ layer }: AgentFold): ReadonlyMap<string, number> {
  const { toolbox, countTokens } = contextOf(layer);
  const sizes = [...toolbox.registry.entries()].flatMap((entry): [string, number][] => {
    const tool = toolbox.toolOf(entry);
    if (!tool) return [];
    return [[entry.name, definitionTokens(toolbox.definitionOf(entry, tool), countTokens)]];
  });
  return new Map(sizes);
}

/** The plan for the tools that are known now, once their schemas are counted. */
export async function planNow(fold: AgentFold, query: PlanQuery): Promise<ToolPlan | undefined> {
  await measure(fold.layer).catch(() => {});
  return planOf(fold, query);
}

/** Undefined if the fold cannot say it, for example without the code of a role. */
function planOf(fold: AgentFold, query: PlanQuery): ToolPlan | undefined {
  try {
    const chosen = explainTools(fold, query);
    const all = explainTools(fold, { ...query, strategy: 'eager' });
    const ofServers = chosen.tools.filter(({ group }) => group !== undefined && group !== 'app');
    const count = (status: string) => ofServers.filter((tool) => tool.status === status).length;
    return {
      ...{ inline: count('declared'), deferred: count('deferred') },
      ...{ tokens: chosen.tokens.total, eager: all.tokens.total },
    };
  } catch {
    return;
  }
}

/** What a first request does with each tool. Throws `unknown-role`. */
export function explainTools(
  fold: AgentFold,
  { model, role, strategy }: PlanQuery,
): ReturnType<AgentFold['explain']> {
  const identity = modelFromName(model ?? 'none/none');
  // Only its names are read. No request is made.
  const named = { ...identity, doStream: () => {} } as unknown as LanguageModel;
  return fold.explain(named, {
    ...(role === null ? {} : { role }),
    // Alone it is not declared.
    ...(isRecallDeclared(fold.layer) ? {} : { without: looseGlobs([RECALL]) }),
    ...(strategy === undefined ? {} : { strategy }),
  });
}
