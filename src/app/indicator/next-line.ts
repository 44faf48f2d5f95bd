import type { AgentFold, RoleSettings, ScreenTurn } from '../../agent/index.ts';
import type { StrategyChoice } from '../../tools/strategies/index.ts';
import { mayHaveTools, nextRequest, nextWords } from './next-request.ts';
import { planNow } from './tool-plan.ts';

/** What the next request is made of. */
export interface NextSources {
  readonly turns: readonly ScreenTurn[];
  readonly settings: {
    readonly areToolsOn: boolean;
    readonly role: string | null;
    readonly strategy: StrategyChoice | undefined;
  };
  readonly roles: Readonly<Record<string, RoleSettings>>;
  readonly model: string | undefined;
  readonly fold: AgentFold;
}

/** What the next request holds, in one line, for surfaces that show it when they are asked. */
export async function nextLine({
  turns,
  settings,
  roles,
  model,
  fold,
}: NextSources): Promise<string> {
  const { role, strategy } = settings;
  const areToolsOn = mayHaveTools(settings, roles);
  const plan = await planNow(fold, { model, role, strategy });
  const facts = { areToolsOn, plan, model, role: role ?? undefined, strategy };
  return nextWords(nextRequest(turns, facts), areToolsOn);
}
