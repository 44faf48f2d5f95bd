import type { AgentFold } from '@toolfold/agent/internal/options';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import { measure } from '@toolfold/core/internal/estimate.ts';
import { contextOf } from '@toolfold/core/internal/request';
import { explainTools, type PlanQuery, schemaTokens } from '../shown/index.ts';

/** A tool, and what a first request does with it. */
export interface MappedTool {
  readonly name: string;
  /** Absent for tools of Toolfold itself. */
  readonly server?: string;
  readonly description: string;
  readonly status: 'declared' | 'deferred' | 'hidden' | 'left out';
  readonly why: string;
  /** Tokens of its schema. Absent: it was not counted, which is not 0. */
  readonly tokens?: number;
  /** Calls in this session, those of subagents included. */
  readonly calls: number;
  /** When it ran last over all sessions, in milliseconds since 1970. Absent: never, or the store does not know. */
  readonly lastUse?: number;
}

interface MapSources {
  readonly fold: AgentFold;
  readonly query: PlanQuery;
  /** Those of a `PromptReader`. */
  readonly calls: ReadonlyMap<string, number>;
  readonly store: Pick<SessionStore, 'lastRuns'>;
}

/** Groups that are servers begin so. */
const SERVER = 'mcp:';

/** All tools that are known, each server's together. Rejects with `unknown-role`, and as the store does. */
export async function toolMap(sources: MapSources): Promise<readonly MappedTool[]> {
  const { fold, query, calls, store } = sources;
  // A server that cannot say what it has leaves its tools uncounted.
  await measure(fold.layer).catch(() => {});
  const lastRuns = await store.lastRuns?.();
  const sizes = schemaTokens(fold);
  const { toolbox } = contextOf(fold.layer);
  return explainTools(fold, query).tools.map(({ name, group, status, why }) => {
    const entry = toolbox.registry.get(name);
    const tool = entry && toolbox.toolOf(entry);
    const [tokens, lastUse] = [sizes.get(name), lastRuns?.get(name)];
    return {
      name,
      ...(group?.startsWith(SERVER) ? { server: group.slice(SERVER.length) } : {}),
      description: tool?.description ?? entry?.description ?? '',
      ...{ status, why, calls: calls.get(name) ?? 0 },
      ...(tokens === undefined ? {} : { tokens }),
      ...(lastUse === undefined ? {} : { lastUse }),
    };
  });
}
