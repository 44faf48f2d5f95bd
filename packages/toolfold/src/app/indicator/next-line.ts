import type { AgentFold, RoleSettings, ScreenTurn } from '@toolfold/agent/internal/agent';
import type { Session } from '@toolfold/agent/internal/sessions';
import type { StrategyChoice } from '@toolfold/core/internal/tools/strategies';
import {
  mayHaveTools,
  type NextRequest,
  nextRequest,
  nextWords,
  plannedStrategy,
  toolsWords,
} from './next-request.ts';
import { sentWith } from './sent-with.ts';
import { planNow } from './tool-plan.ts';

/** What the next request is made of. */
export interface NextSources {
  readonly turns: readonly ScreenTurn[];
  readonly session: Pick<Session, 'entries'> | undefined;
  readonly settings: {
    readonly areToolsOn: boolean;
    readonly role: string | null;
    readonly strategy: StrategyChoice | undefined;
  };
  readonly roles: Readonly<Record<string, RoleSettings>>;
  readonly model: string | undefined;
  readonly fold: AgentFold;
}

/** What the next request holds, and in words: of tools, and with the conversation in one line. */
export interface Next extends NextRequest {
  readonly words: string;
  readonly line: string;
}

/** What the next request holds, for surfaces that show it when they are asked. */
export async function nextOf(sources: NextSources): Promise<Next> {
  const { turns, session, settings, roles, model, fold } = sources;
  const { role, strategy } = settings;
  const areToolsOn = mayHaveTools(settings, roles);
  const sent = session && sentWith(session.entries);
  const now = { model, role: role ?? undefined, strategy, sent };
  const plan = await planNow(fold, { model, role, strategy: plannedStrategy(turns, now) });
  const next = nextRequest(turns, { areToolsOn, plan, ...now });
  return { ...next, words: toolsWords(next, areToolsOn), line: nextWords(next, areToolsOn) };
}
