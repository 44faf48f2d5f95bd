import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { does, hands } from '../../test/chat/hands.test-support.ts';
import { commandUi, openHost } from '../../test/chat/host.test-support.ts';
import { runCommand } from './commands.ts';

interface Row {
  readonly settings?: object;
  /** Messages and commands before the measured request. */
  readonly before?: readonly string[];
  /** What the `start` event of its turn says. */
  readonly strategy: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'the first request': { strategy: 'eager' },
  'with subagents': { settings: { subagents: true }, strategy: 'eager' },
  'with subagents, schemas on demand': {
    ...{ settings: { subagents: true, strategy: 'dispatch' }, strategy: 'dispatch' },
  },
  'with subagents, after a call': {
    ...{ settings: { subagents: true }, before: ['Do it'], strategy: 'eager' },
  },
  'with subagents, a role without them': {
    ...{ settings: { subagents: true }, before: ['/role chat'], strategy: 'eager' },
  },
  'off before the first turn': {
    ...{ settings: { subagents: true }, before: ['/tools off'], strategy: 'none' },
  },
  'off after a greeting': { before: ['Hi', '/tools off'], strategy: 'none' },
  'on again': { before: ['Hi', '/tools off', 'And?', '/tools on'], strategy: 'eager' },
};

describe('/context, /tools and /cost say what the next request holds', () => {
  for (const [name, { settings = {}, before = [], strategy }] of Object.entries(ROWS))
    test(name, async (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'toolfold-next-'));
      context.after(() => rmSync(folder, { recursive: true }));
      const servers = { hands: (await hands(folder, 'It is long. '.repeat(20))).entry };
      const script = ({ raw }: { raw: string }) =>
        raw.includes('Do it') && !raw.includes('tool_result')
          ? { calls: [does('text', { text: 'Done' })] }
          : { text: 'Ok.' };
      const approvals = { mode: 'never' };
      await using opened = await openHost({
        ...{ script: script as never, servers, settings: { approvals, ...settings } },
      });
      const { host, say, server } = opened;
      await host.pool.ready({ within: 20_000, signal: context.signal });
      const run = async (command: string) => {
        const ui = commandUi(host);
        await runCommand(ui, command);
        return ui.shown;
      };
      for (const one of before) await (one.startsWith('/') ? run(one) : say(one));
      const lines = await Promise.all(['/context', '/tools', '/cost'].map(run));
      const said = lines.map((shown) => shown.find((line) => line.startsWith('The next request:')));
      assert.equal(new Set(said).size, 1, said.join());
      const shown = /tools (?:off, )?([\d,]+)/.exec(said[0] ?? '')?.[1]?.replaceAll(',', '') ?? '0';
      await say('Now?');
      const { request, start } = host.talk.view.turns.at(-1) ?? {};
      const body = countBody(server.requests.at(-1) ?? assert.fail(), estimateTokens);
      const sent = body.tools + (request?.tokens.catalog ?? 0);
      assert.ok(Math.abs(Number(shown) - sent) <= 0.05 * sent, `${said[0]} ${sent} sent`);
      assert.equal(start?.strategy, strategy);
    });
});
