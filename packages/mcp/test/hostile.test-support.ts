import assert from 'node:assert/strict';
import type { ServerEntry } from '../src/config/config.ts';
import { parseConfig } from '../src/config/read-config.ts';
import type { ServerPool } from '../src/pool/contract.ts';

/** The expected outcome of a server: why it failed, or its warnings and the end of a call. */
export interface Outcome {
  readonly failed?: RegExp;
  /** The state of a server that cannot be used. Default: `failed`. */
  readonly state?: 'needs-auth';
  readonly warning?: RegExp;
  readonly tools?: number;
  /** Matches the result (`fine`) or the error. */
  readonly call?: 'fine' | RegExp;
  /** The error where the POST says which call an answer belongs to. */
  readonly http?: RegExp;
}

/** The time of a call whose answer names no request, and which therefore waits. */
export function lifecycleOf({ call }: Outcome): object {
  return call instanceof RegExp && call.source.startsWith('was cancelled')
    ? { callSeconds: 1 }
    : {};
}

const cannotBeUsed = (what: RegExp): RegExp => new RegExp(`answer cannot be used: ${what.source}`);

export const outcomes: Readonly<Record<string, Outcome>> = {
  healthy: { tools: 1, call: 'fine' },
  'says its secrets and ends': { failed: /ended with code 1; stderr ends with: bad key \[red/ },
  'initialize: null': { failed: /its result is null, not an object/ },
  'initialize: an error with secrets': { failed: /\[redacted\]/ },
  'initialize: an unknown version': { failed: /version is not supported: \[redacted\]/ },
  'initialize: capabilities 100,000 levels deep': { failed: /nested more than 10,000 levels deep/ },
  'initialize: capabilities 1,000 levels deep': { failed: /nested more than 200 levels deep/ },
  'initialize: 2 million objects': { failed: /a message of more than 1,000,000 objects/ },
  'initialize: instructions that take for ever to read': {
    warning: /instructions have more than 100,000 characters/,
    call: 'fine',
  },
  'initialize: a flood of stderr': { tools: 1, call: 'fine' },
  'initialize: more than a million blank lines first': {
    failed: /more than 1,000,000 messages without being asked/,
  },
  'initialize: twice': { tools: 1, call: 'fine' },
  'initialize: a list': { failed: /its result is a list, not an object/ },
  'initialize: a version that is a number': {
    failed: /its answer to initialize is not valid \(protocolVersion: expected string, received/,
  },
  'initialize: capabilities null': {
    failed:
      /its answer to initialize is not valid \(capabilities: expected object, received null\)/,
  },
  'initialize: requests first, with the same id': { tools: 1, call: 'fine' },
  'list: no tools': { failed: /its answer to tools\/list has no list of tools/ },
  'list: an object of tools': { failed: /its answer to tools\/list has no list of tools/ },
  'list: schemas that are none': { tools: 3, call: 'fine' },
  'list: odd names': { tools: 4, warning: /1 listed tool without a name/, call: 'fine' },
  'list: a cursor that is a number': { tools: 1, warning: /is not a string/, call: 'fine' },
  'list: an empty cursor': { tools: 1, call: 'fine' },
  'list: a schema 3,000 levels deep': {
    tools: 1,
    warning: /200 levels deep, left out: deep$/,
    call: 'fine',
  },
  'list: a schema of lists 9,000 levels deep': {
    tools: 1,
    warning: /left out: deep$/,
    call: 'fine',
  },
  'list: _meta and annotations 5,000 levels deep': {
    tools: 1,
    warning: /left out: deep$/,
    call: 'fine',
  },
  'list: pages of 2 MB without end': {
    tools: 7,
    warning: /more than 16 million characters; the first 7/,
  },
  'list: empty pages without end': { tools: 0, warning: /more than 200 pages/ },
  'list: a cursor that repeats': { tools: 1, warning: /repeats from page 2 on/, call: 'fine' },
  'list: cursors of 9 MB': { tools: 1, warning: /more than 16 million characters/ },
  'list: 300,000 entries that are no tools': {
    tools: 1,
    warning: /300,000 listed tools without a name/,
  },
  'list: 20,000 tools': { tools: 10_000, warning: /more than 10,000 tools; the first 10,000/ },
  'list: names with secrets, twice, and of 1 MB': {
    tools: 2,
    warning: /left out: n+….*named \[redacted\]/,
  },
  'list: a deep schema in a result that says it is an error': {
    tools: 1,
    warning: /left out: deep$/,
    call: 'fine',
  },
  'list: null': { failed: /its result is null/ },
  'list: an error with secrets': { failed: /it answered with an error: no \[redacted\]/ },
  'list: a storm of notifications first': { tools: 1, call: 'fine' },
  'call: result null': { call: cannotBeUsed(/its result is null/) },
  'call: result a text': { call: cannotBeUsed(/its result is a string/) },
  'call: neither result nor error': { call: cannotBeUsed(/it has neither/) },
  'call: result and error': { call: cannotBeUsed(/it has both/) },
  'call: an error with secrets': { call: /\[redacted\]/ },
  'call: an error that is a text': { call: /\[redacted\]/ },
  'call: a result that is an error with secrets': { call: /\[redacted\]/ },
  'call: the id as text': { call: 'fine' },
  'call: the id of no request': {
    call: /was cancelled; meanwhile the server sent a result with the id 987654, which no request has/,
    http: cannotBeUsed(/its id is 987654, which no request has/),
  },
  'call: an error without an id': {
    call: /was cancelled; meanwhile the server sent an error without an id: parse error/,
    http: /error: parse error/,
  },
  'call: twice': { call: 'fine' },
  'call: the id as a list': {
    call: /was cancelled; meanwhile the server sent a result with the id a list/,
    http: cannotBeUsed(/its id is a list, which no request has/),
  },
  'call: two ids': { call: 'fine' },
  'call: requests with ids that are none first': { call: 'fine' },
  'call: a byte order mark': { call: 'fine' },
  'call: rubbish after the answer': { call: cannotBeUsed(/it is not (valid )?JSON/) },
  'call: two answers in a line': { call: cannotBeUsed(/it is not (valid )?JSON/) },
  'call: an empty error': { call: /sent an error without a message/ },
  'call: an error that is null': { call: cannotBeUsed(/it has neither/) },
  'call: a result beside an error that is null': { call: 'fine' },
  'call: content that is none': { call: 'fine' },
  'call: a batch': { call: 'fine' },
  'call: not a number in JSON': { call: cannotBeUsed(/it is not (valid )?JSON/) },
  'call: a result 100,000 levels deep': { call: cannotBeUsed(/its result is nested/) },
  'call: a message 100,000 levels deep': {
    call: /was lost while it ran \(it sent a message nested more than/,
  },
  'call: a storm of progress first': { call: 'fine' },
  'call: a storm of requests': {
    call: /was lost while it ran \(it sent 1,000 requests without reading|fine/,
  },
  'call: it closes its output and stays': { call: /was lost while it ran \(it closed its output/ },
  'close: it ignores the end of stdin and SIGTERM': { tools: 1, call: 'fine' },
};

export function entriesOf(servers: Record<string, object>): ReadonlyMap<string, ServerEntry> {
  return parseConfig('c.json', JSON.stringify({ mcpServers: servers }), { env: {} }).servers;
}

/** The result or error of a call of the server's tool as text, and whether the call succeeded. */
async function call(connected: ServerPool, name: string): Promise<string> {
  const connection = connected.connections.find((one) => one.name === name) ?? assert.fail(name);
  try {
    const result = await connection.callTool('fine', {}, { signal: AbortSignal.timeout(100_000) });
    return `result: ${JSON.stringify(result)}`;
  } catch (error) {
    return `error: ${error instanceof Error ? `${error.message} ${JSON.stringify(error)} ${error.stack}` : error}`;
  }
}

/** The text around a secret of the entry, in any form; undefined if the text holds none. */
export function secretIn(text: string): string | undefined {
  const secret = /hunter2|aHVudGVyM|ZW52LWh1/.exec(text);
  return secret ? text.slice(Math.max(0, secret.index - 80)).slice(0, 200) : undefined;
}

export async function check(connected: ServerPool, name: string, outcome: Outcome): Promise<void> {
  const status = connected.servers.find((one) => one.name === name) ?? assert.fail(name);
  const index = connected.servers.findIndex((one) => one.name === name);
  assert.equal(secretIn(JSON.stringify(status)), undefined);
  if (outcome.failed) {
    assert.equal(status.state, outcome.state ?? 'failed', name);
    assert.match(status.reason ?? '', outcome.failed);
    assert.match(connected.groups[index]?.unavailable?.reason ?? '', outcome.failed);
  } else {
    assert.equal(status.state, 'ready', `${name}: ${status.reason}`);
    assert.equal(outcome.tools ?? status.tools, status.tools);
    assert.match(status.warnings?.join('; ') ?? '', outcome.warning ?? /^$/);
  }
  if (outcome.call === undefined) return;
  const ended = await call(connected, name);
  assert.equal(secretIn(ended), undefined);
  if (outcome.call === 'fine') assert.match(ended, /^result: .*"fine"/);
  else assert.match(ended, outcome.call);
  assert.match(await call(connected, 'healthy'), /^result: .*"fine"/);
}
