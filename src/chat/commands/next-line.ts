import { mayHaveTools, nextRequest, nextWords, planNow } from '../../app/indicator/index.ts';
import type { Chat } from '../opened/index.ts';

/** What the next request holds, in one line, as the status line says it. */
export async function nextLine({
  talk,
  settings,
  setUp,
  modelName: model,
  fold,
}: Chat): Promise<string> {
  const { role, strategy } = settings;
  const areToolsOn = mayHaveTools(settings, setUp.roles);
  const plan = await planNow(fold(), { model, role, strategy });
  const facts = { areToolsOn, plan, model, role: role ?? undefined, strategy };
  return nextWords(nextRequest(talk.view.turns, facts), areToolsOn);
}
