import type { ScreenView, Spending } from '@toolfold/agent/internal/events';
import type { AgentFold } from '@toolfold/agent/internal/options';
import type { Session } from '@toolfold/agent/internal/sessions';
import type { RoleSettings } from '@toolfold/config/internal/settings';
import type { StrategyChoice } from '@toolfold/core/internal/tool';
import { formatCount } from '@toolfold/core/internal/values';
import type { ServerStatus } from '@toolfold/mcp/internal/server';
import { type Indicator, indicatorOf } from './indicator.ts';
import { mayHaveTools, plannedStrategy, sentWith } from './next-request.ts';
import { loadedTools, type ToolPlans } from './tool-plan.ts';

/** A conversation and what it was opened with, as far as the indicator says something of it. */
export interface IndicatorSources {
  readonly talk: {
    readonly view: ScreenView;
    readonly session: Pick<Session, 'entries'> | undefined;
    readonly state: 'idle' | 'running' | 'elsewhere';
    readonly besides: Spending | undefined;
  };
  readonly settings: {
    readonly areToolsOn: boolean;
    readonly role: string | null;
    readonly strategy: StrategyChoice | undefined;
    readonly contextWindow: number | undefined;
  };
  readonly roles: Readonly<Record<string, RoleSettings>>;
  readonly currency: string | undefined;
  /** `provider/name`. */
  readonly model: string | undefined;
  readonly fold: AgentFold;
  readonly plans: Pick<ToolPlans, 'of'>;
  readonly servers: readonly Pick<ServerStatus, 'state'>[];
  /** What the user can do about a server, behind a colon, such as `/tools`. */
  readonly remedy?: string;
}

/** The indicator as it is now. */
export function indicatorNow(sources: IndicatorSources): Indicator {
  const { talk, settings, roles, currency, model, fold, plans } = sources;
  const { view, session, besides } = talk;
  const { strategy, contextWindow } = settings;
  const role = settings.role ?? undefined;
  const sent = session && sentWith(session.entries);
  const planned = plannedStrategy(view.turns, { model, role, strategy, sent });
  return indicatorOf(view, {
    areToolsOn: mayHaveTools(settings, roles),
    ...{ strategy, sent, model, role, contextWindow, currency, besides },
    plan: plans.of({ model, role: settings.role, strategy: planned }),
    loaded: loadedTools(view.turns, fold).size,
    now: happening(sources),
  });
}

/** What happens now beside the turn. */
function happening({ talk, servers, remedy }: IndicatorSources): readonly string[] {
  const count = (name: string) => servers.filter(({ state }) => state === name).length;
  const [starting, failed, logins] = [count('connecting'), count('failed'), count('needs-auth')];
  const way = remedy === undefined ? '' : `: ${remedy}`;
  return [
    ...(talk.state === 'elsewhere' ? ['another process works here'] : []),
    ...(starting > 0 ? [`${formatCount(starting, 'server')} starting`] : []),
    ...(failed > 0 ? [`${formatCount(failed, 'server')} failed${way}`] : []),
    ...(logins > 0 ? [`${formatCount(logins, 'login')} needed${way}`] : []),
  ];
}
