import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startModelServer } from '../../src/index.ts';
import type { WireProvider } from '../../src/wire/recorded-request.ts';

const PATHS: Record<WireProvider, string> = {
  anthropic: '/messages',
  'openai-responses': '/responses',
  'openai-chat': '/chat/completions',
};

type Body = Record<string, unknown>;

/** A body with the expected refusal of the strict server and, on Anthropic, its error code. */
export type RefusalCase = [
  what: string,
  body: Body,
  message: RegExp | 'accepted',
  expected?: { readonly code?: string; readonly headers?: Record<string, string> },
];

/** Sends every body to a strict server and, if that refuses it, to a server that is not strict. */
export function testRefusals(
  provider: WireProvider,
  cases: readonly RefusalCase[],
  subject = '',
): void {
  describe(`strict mode, ${provider}${subject}`, () => {
    for (const [what, body, message, { code, headers } = {}] of cases) {
      it(`${message === 'accepted' ? 'accepts' : 'refuses'} ${what}`, async () => {
        const strict = await send(provider, body, true, headers);
        if (message === 'accepted') {
          assert.equal(strict.status, 200, JSON.stringify(strict.body));
          return;
        }
        assert.equal(strict.status, 400);
        assert.match(strict.body.error.message, message);
        assert.equal(strict.body.error.type, 'invalid_request_error');
        assert.equal(strict.body.type, provider === 'anthropic' ? 'error' : undefined);
        assert.equal(strict.body.error.details?.error_code, code);
        assert.equal((await send(provider, body, false, headers)).status, 200);
      });
    }
  });
}

async function send(
  provider: WireProvider,
  body: Body,
  strict: boolean,
  headers: Record<string, string> = {},
) {
  await using server = await startModelServer({ script: [{ text: 'ok' }], strict });
  const response = await fetch(`${server.baseUrl(provider)}${PATHS[provider]}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', ...body }),
  });
  return { status: response.status, body: await response.json() };
}
