import { raceAbort } from '../../tools/values/index.ts';
import type { UnknownChoice } from '../entries/index.ts';
import type { RemoteAnswers } from '../inbox/index.ts';
import type { AgentOptions, AskedUnknownCall } from '../options/index.ts';

/** What the user decides about an unknown call, here or in another process. Undefined if the turn is cancelled. */
export function decideUnknown(
  { signal, ...call }: AskedUnknownCall,
  choices: RemoteAnswers<UnknownChoice>,
  onUnknown: AgentOptions['onUnknown'],
): Promise<UnknownChoice | undefined> {
  return choices.first<UnknownChoice | undefined>(call.id, {
    signal,
    since: call.startedAt ?? 0,
    ask: async (asking) => {
      try {
        return await raceAbort(Promise.resolve(onUnknown?.({ ...call, signal: asking })), asking);
      } catch (error) {
        if (asking.aborted) return;
        throw error;
      }
    },
    take: (choice) => choice,
  });
}
