import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from '@ai-sdk/provider';
import { APICallError } from 'ai';
import { isRetryable, refusalIn, retryDelay } from './retry.ts';

const failed = (responseHeaders: Record<string, string> = {}, statusCode = 429) =>
  new APICallError({
    ...{ message: 'Not now.', url: 'https://example.org/', requestBodyValues: {} },
    ...{ statusCode, responseHeaders },
  });

/** The gateway of the AI SDK has errors of its own around the one of the request. */
const gateway = (isRetryable: boolean) =>
  Object.assign(new Error('x', { cause: failed({ 'retry-after': '1' }) }), { isRetryable });

test('when a request that failed is sent again', () => {
  const cases: readonly (readonly [unknown, number, number | undefined, number | undefined])[] = [
    [failed(), 0, undefined, 2_000],
    [failed(), 1, undefined, 4_000],
    [failed(), 2, undefined, undefined],
    [failed(), 2, 3, 8_000],
    [failed(), 0, 0, undefined],
    [failed({ 'retry-after': '12' }), 0, undefined, 12_000],
    [failed({ 'retry-after': '12', 'retry-after-ms': '50' }), 0, undefined, 50],
    [failed({ 'retry-after': '60' }), 0, undefined, 60_000],
    [failed({ 'retry-after': '120' }, 529), 0, undefined, 120_000],
    [failed({ 'retry-after': '120.001' }), 0, undefined, undefined],
    [failed({ 'retry-after-ms': '120001' }, 503), 0, undefined, undefined],
    [failed({ 'retry-after': '-1' }), 0, undefined, 2_000],
    [failed({ 'retry-after': 'soon', 'retry-after-ms': 'x' }), 0, undefined, 2_000],
    [failed({}, 400), 0, undefined, undefined],
    [gateway(false), 0, 2, undefined],
    [gateway(true), 0, 2, 1_000],
    [undefined, 0, 2, undefined],
  ];
  for (const [error, attempt, retries, delay] of cases)
    assert.equal(retryDelay(error, attempt, retries), delay);
  const date = 'Sat, 28 Nov 2026 04:00:00 GMT';
  const in90 = { date, 'retry-after': 'Sat, 28 Nov 2026 04:01:30 GMT' };
  const before = { date, 'retry-after': 'Sat, 28 Nov 2026 03:59:30 GMT' };
  // Whatever the clock says here.
  assert.equal(retryDelay(failed(in90), 0), 90_000);
  assert.equal(retryDelay(failed(before), 0), 2_000);
  const openai = (remaining: string, reset: string) => ({
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-reset-requests': '100s',
    'x-ratelimit-remaining-tokens': remaining,
    'x-ratelimit-reset-tokens': reset,
  });
  const anthropic = (time: string) => ({
    date,
    'anthropic-ratelimit-input-tokens-remaining': '0',
    'anthropic-ratelimit-input-tokens-reset': time,
  });
  const resets: readonly (readonly [Record<string, string>, number])[] = [
    [openai('0', '1m30.5s'), 90_500],
    [openai('0', '20ms'), 20],
    [openai('0', '2m0s'), 120_000],
    // A part is there before all is, so it is asked earlier.
    [openai('0', '6m0s'), 2_000],
    [openai('12', '30s'), 2_000],
    [openai('0', '30'), 2_000],
    [openai('0', '30 s'), 2_000],
    [openai('0', ''), 2_000],
    [anthropic('2026-11-28T04:00:42Z'), 42_000],
    [anthropic('2026-11-28T05:00:00Z'), 2_000],
    [anthropic('2026-11-28T03:00:00Z'), 2_000],
    [{ ...openai('0', '50s'), 'retry-after': '7' }, 7_000],
    [{ ...openai('0', '50s'), ...anthropic('2026-11-28T04:01:00Z') }, 60_000],
  ];
  for (const [headers, delay] of resets)
    assert.equal(retryDelay(failed(headers), 0), delay, JSON.stringify(headers));
  // The same for who asks without counting.
  for (const answer of [true, false]) assert.equal(isRetryable(gateway(answer)), answer);
});

test('an option that an older provider refuses is a refusal of the appended tools', () => {
  const message = 'invalid anthropic provider options';
  const error = new InvalidArgumentError({ argument: 'providerOptions', message });
  assert.deepEqual(refusalIn(error), { why: message, isAboutForm: false });
  assert.equal(refusalIn(new TypeError(message)), undefined);
});
