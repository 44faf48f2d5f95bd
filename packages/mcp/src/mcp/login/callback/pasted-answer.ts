import type { PendingLogin } from '../store/index.ts';
import { hasState } from './callback-server.ts';

/**
 * What the user types during a login: the address to which the browser was sent at the end. A browser on
 * another computer cannot open it.
 */
export interface PastedAnswers {
  /** The lines that the user types. They end when the signal aborts. */
  readonly lines: (signal: AbortSignal) => AsyncIterable<string>;
  /** Called with a text for people if a line is not the answer. */
  readonly onWrong: (text: string) => void;
}

/** The parameters of the first answer: `received` from the browser, or pasted by the user. */
export async function firstAnswer(
  received: Promise<URLSearchParams>,
  pasted: PastedAnswers,
  pending: PendingLogin,
): Promise<URLSearchParams> {
  const stop = new AbortController();
  try {
    return await Promise.race([received, pastedAnswer(received, pasted, pending, stop.signal)]);
  } finally {
    stop.abort();
  }
}

/** When the lines end, only the browser can still answer. */
async function pastedAnswer(
  received: Promise<URLSearchParams>,
  { lines, onWrong }: PastedAnswers,
  pending: PendingLogin,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  for await (const line of lines(signal)) {
    const text = line.trim();
    if (text === '') continue;
    const answer = answerIn(text, pending);
    if (typeof answer !== 'string') return answer;
    onWrong(answer);
  }
  return received;
}

function answerIn(text: string, { redirectUrl, state }: PendingLogin): URLSearchParams | string {
  const url = URL.parse(text);
  if (url === null || url.origin + url.pathname !== redirectUrl)
    return 'This is not the address to which the browser was sent. Paste all of it.';
  return hasState(url.searchParams, state)
    ? url.searchParams
    : 'The address belongs to another login.';
}
