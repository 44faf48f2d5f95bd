/**
 * `native` against the providers themselves: run by `npm run live`, one check for each form whose
 * key is in the environment, skipped by name elsewhere. Prints what each provider says it read from
 * its cache; a few cents at most.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createFold } from '@toolfold/ai-sdk';
import type { NativeForm } from '@toolfold/core/models';
import { fakeGroup } from '@toolfold/testing';
import { generateText, isStepCount, type LanguageModel } from 'ai';

interface LiveCheck {
  readonly form: NativeForm;
  /** The variable that holds the key, and others that must be set. */
  readonly key: string;
  readonly also?: string;
  readonly model: (apiKey: string) => LanguageModel;
}

const claude = (id: string) => (apiKey: string) => createAnthropic({ apiKey })(id);
const gpt = (id: string) => (apiKey: string) => createOpenAI({ apiKey }).responses(id);
const kimi = (id: string) => (apiKey: string) =>
  createOpenAICompatible({
    name: 'moonshotai',
    apiKey,
    baseURL: process.env.MOONSHOT_BASE_URL ?? '',
  })(id);

const CHECKS: readonly LiveCheck[] = [
  { form: 'anthropic-inline', key: 'ANTHROPIC_API_KEY', model: claude('claude-opus-5-5') },
  { form: 'anthropic-reference', key: 'ANTHROPIC_API_KEY', model: claude('claude-opus-5-5') },
  { form: 'anthropic-search', key: 'ANTHROPIC_API_KEY', model: claude('claude-haiku-5-5') },
  { form: 'openai-additional', key: 'OPENAI_API_KEY', model: gpt('gpt-5.6') },
  { form: 'openai-search', key: 'OPENAI_API_KEY', model: gpt('gpt-5.6') },
  {
    form: 'system-tools',
    key: 'MOONSHOT_API_KEY',
    also: 'MOONSHOT_BASE_URL',
    model: kimi('kimi-k3'),
  },
];

/** A tool whose answer cannot be guessed, among enough others to fill the shortest cached prefix. */
const SECRET = 'heliotrope-4711';
const vault = {
  groupId: 'mcp:vault',
  description: 'Keeps passphrases.',
  toolNames: ['read_passphrase'],
  loader: async () => [
    {
      name: 'read_passphrase',
      description: 'Reads the passphrase of a door.',
      inputSchema: {
        type: 'object',
        properties: { door: { type: 'string' } },
        required: ['door'],
      },
      execute: () => ({ passphrase: SECRET }),
    },
  ],
};
const crowd = Array.from({ length: 40 }, (_, seed) =>
  fakeGroup({ groupId: `mcp:service-${seed}`, count: 20, seed }),
);

describe('live: native on the providers themselves', () => {
  for (const { form, key, also, model } of CHECKS) {
    const apiKey = process.env[key];
    const missing = [key, also].find((name) => name !== undefined && !process.env[name]);
    const skip = missing !== undefined && `no ${missing}`;
    test(`${form} loads, calls and keeps the cache`, { skip }, async () => {
      const forms: string[] = [];
      const warnings: string[] = [];
      const fold = createFold({
        groups: [...crowd, vault],
        strategy: 'native',
        capabilities: [{ provider: '*', model: '*', forms: [form] }],
        onRequest: (request) => forms.push(request.form ?? request.strategy),
        onWarning: (text) => warnings.push(text),
      });
      const { steps, text } = await generateText({
        ...fold.with(model(apiKey ?? ''), { contextWindow: 200_000 }),
        prompt: 'What is the passphrase of the north door? Read it with your tools, then say it.',
        stopWhen: isStepCount(8),
        providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      });
      for (const [index, { usage }] of steps.entries()) {
        const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage.inputTokenDetails;
        console.log(
          `${form}, request ${index + 1}: ${usage.inputTokens} tokens in, ${cacheReadTokens} read from the cache, ${cacheWriteTokens} written`,
        );
      }
      assert.deepEqual([...new Set(forms)], [form], warnings.join('\n'));
      assert.ok(text.includes(SECRET), text);
      assert.ok(steps.length >= 2);
      const read = steps.at(-1)?.usage.inputTokenDetails.cacheReadTokens ?? 0;
      assert.ok(read > 0, 'nothing was read from the cache');
    });
  }
});
