import { nextOf } from '../../app/indicator/index.ts';
import type { Chat } from '../opened/index.ts';

/** What the next request holds, in one line, as the status line says it. */
export async function nextLine({
  talk,
  settings,
  setUp,
  modelName: model,
  fold,
}: Chat): Promise<string> {
  const { session, view } = talk;
  const sources = { turns: view.turns, session, settings, roles: setUp.roles, model };
  return (await nextOf({ ...sources, fold: fold() })).line;
}
