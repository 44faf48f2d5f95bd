import { API, type WireCommand, type WireReply } from 'toolfold/internal/web-wire';

/** Where this origin keeps the token. Another port is another origin. */
const KEY = 'toolfold-token';
/** Milliseconds before a request is repeated, and at most. */
const FIRST = 300;
const MOST = 5_000;

/** Moves the token from the address to the storage, so that no copied address and no history has it. */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get('token');
  if (token === null) return;
  localStorage.setItem(KEY, token);
  given.delete('token');
  history.replaceState(null, '', `#${given}`);
}

/** Milliseconds to wait before attempt number `attempt`, counted from 0. */
export function backoff(attempt: number): number {
  return Math.min(MOST, FIRST * 2 ** attempt) * (0.75 + Math.random() / 2);
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A request with the token. Rejects if no answer comes. */
export function request(path: string, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${localStorage.getItem(KEY) ?? ''}`;
  return fetch(`${API}${path}`, { ...init, headers: { authorization } });
}

/** Sends it until it is answered: a command counts once, however often it arrives. */
async function replyTo(path: string, init: RequestInit): Promise<WireReply> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await (await request(path, init)).json()) as WireReply;
    } catch {
      await pause(backoff(attempt));
    }
  }
}

export function command(session: string, given: WireCommand): Promise<WireReply> {
  return replyTo(`/command?${query({ session })}`, { method: 'POST', body: JSON.stringify(given) });
}

/** Opens a new session. */
export function newSession(): Promise<WireReply> {
  return replyTo('/sessions', { method: 'POST', body: '{}' });
}

export function removeSession(session: string): Promise<WireReply> {
  return replyTo(`/sessions?${query({ session })}`, { method: 'DELETE' });
}

/** Reads something of a session. Rejects with the words of the server. */
export async function read(
  path: string,
  given: Readonly<Record<string, string | number | undefined>>,
): Promise<Response> {
  const answer = await request(`${path}?${query(given)}`);
  if (answer.ok) return answer;
  const text = await answer.text();
  const isReply = answer.headers.get('content-type')?.startsWith('application/json');
  const { message, hint = '' }: { message: string; hint?: string } = isReply
    ? JSON.parse(text)
    : { message: text };
  throw new Error(`${message} ${hint}`.trim());
}

export async function readJson<T>(...given: Parameters<typeof read>): Promise<T> {
  return (await (await read(...given)).json()) as T;
}

function query(given: Readonly<Record<string, string | number | undefined>>): string {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return String(new URLSearchParams(known.map(([name, value]) => [name, String(value)])));
}
