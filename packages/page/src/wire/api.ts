import { API, type WireCommand, type WireReply } from 'toolfold/internal/web-wire';

/** Where this origin keeps the token. Another port is another origin. */
const KEY = 'toolfold-token';
/** Where it keeps the port on which the server listens: an SSH forward has another one. */
const PORT = 'toolfold-port';
/** What a request without a valid token is answered: the token is not sent to find it out. */
const UNPROVEN: WireReply = {
  ok: false,
  code: 'no-token',
  message: 'What answers at this address does not know the token of this page.',
  hint: 'Open the address that toolfold web prints: it ends with the token.',
};
/** Milliseconds before a request is repeated, and at most. */
const FIRST = 300;
const MOST = 5_000;

/**
 * Moves the token from the address to the storage, so that no copied address and no history has it. A link of another
 * site may hold any: it is kept only if the server proves that it knows it.
 */
export async function takeToken(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get('token');
  if (token === null) return;
  given.delete('token');
  history.replaceState(null, '', `#${given}`);
  const port = await provenPort(token).catch(() => undefined);
  if (port === undefined) return;
  localStorage.setItem(KEY, token);
  localStorage.setItem(PORT, port);
}

/** The port that the server names, if it proves that it knows the token. Rejects if no answer comes. */
async function provenPort(token: string, signal?: AbortSignal): Promise<string | undefined> {
  if (token === '') return;
  const nonce = crypto.randomUUID();
  const answer = await fetch(`/running?nonce=${nonce}`, { signal: signal ?? null });
  if (!answer.ok) throw new Error(`The server answers with ${answer.status}.`);
  const port = answer.headers.get('toolfold-port') ?? '';
  const bytes = new TextEncoder();
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(token), hash, false, ['sign']);
  const made = await crypto.subtle.sign('HMAC', key, bytes.encode(`${port}:${nonce}`));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(made)));
  const proof = base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
  return (await answer.text()) === proof ? port : undefined;
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

/**
 * A request with the token. Another program may have taken the port: the token goes only to who proves to know it.
 * Rejects if no answer comes.
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const token = localStorage.getItem(KEY) ?? '';
  const port = await provenPort(token, init.signal ?? undefined);
  if (port === undefined || port !== (localStorage.getItem(PORT) ?? location.port))
    return Response.json(UNPROVEN, { status: 401 });
  const authorization = `Bearer ${token}`;
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
