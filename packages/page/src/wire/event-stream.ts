import type { Patch, WireReply, WireState } from 'toolfold/internal/web-wire';
import { backoff, pause, request } from './api.ts';

/**
 * How a session is connected. `crowded`: other sessions have all streams. `refused`: the server does not know the token.
 * `gone`: the session is not there.
 */
export type Link = 'connecting' | 'live' | 'lost' | 'crowded' | 'refused' | 'gone';

export type StreamEvent =
  | { readonly type: 'state'; readonly state: WireState }
  | { readonly type: 'patch'; readonly patch: Patch };

/** Milliseconds of silence after which a connection counts as lost: the server says something each 15 s. */
const SILENCE = 40_000;

/** Follows the stream of a session until the signal aborts or the session is gone. It connects again by itself. */
export async function follow(
  session: string,
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => void,
  onLink: (link: Link) => void,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      const silence = new AbortController();
      const both = AbortSignal.any([signal, silence.signal]);
      const path = `/stream?session=${encodeURIComponent(session)}`;
      const answer = await request(path, { signal: both });
      if (answer.ok && answer.body) {
        await readEvents(answer.body, silence, (event) => {
          attempt = 0;
          onLink('live');
          onEvent(event);
        });
        onLink('lost');
      } else {
        const { code } = (await answer.json()) as Extract<WireReply, { ok: false }>;
        if (code === 'gone') return onLink('gone');
        onLink(answer.status === 401 ? 'refused' : 'lost');
      }
    } catch {
      if (!signal.aborted) onLink('lost');
    }
    await pause(backoff(attempt), signal);
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  silence: AbortController,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE);
    const { done, value = '' } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const events = `${rest}${value}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const text of events) {
      const event = eventIn(text);
      if (event) onEvent(event);
    }
  }
}

/** Undefined for a comment. */
function eventIn(text: string): StreamEvent | undefined {
  const [, type, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? [];
  if (data === undefined) return;
  const value = JSON.parse(data);
  return type === 'state' ? { type, state: value } : { type: 'patch', patch: value };
}
