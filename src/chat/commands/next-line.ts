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
  const { turns } = talk.view;
  return (await nextOf({ turns, settings, roles: setUp.roles, model, fold: fold() })).line;
}
