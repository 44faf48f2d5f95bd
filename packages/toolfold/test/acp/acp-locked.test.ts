// test: slow
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { methods } from '@agentclientprotocol/sdk';
import { Database } from '@toolfold/agent/internal/sqlite/database.ts';
import { sqliteStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { editorScene, limited } from './acp.test-support.ts';

const WRITE: Reply = { calls: [{ name: 'files__write_note', arguments: { text: 'x' } }] };

suite('toolfold acp, while another program locks the sessions', () => {
  test(
    'a cancelled prompt is answered at once, and the approval is written later',
    limited,
    async (context) => {
      const scene = await editorScene(context, [WRITE, { text: 'Next.' }]);
      const folder = join(scene.folder, 'sessions');
      let lock: Database | undefined;
      const editor = await scene.connect({
        answer: async () => {
          lock = new Database(join(folder, 'sessions.db'));
          lock.execute('BEGIN IMMEDIATE');
          return 'once';
        },
      });
      const id = await editor.begin();
      const turn = editor.say(id, 'Write');
      const said = () => JSON.stringify(editor.updates(id));
      await editor.until(() => said().includes('cannot be written'));
      await editor.agent.notify(methods.agent.session.cancel, { sessionId: id });
      const begin = performance.now();
      assert.equal(await turn, 'cancelled');
      assert.ok(performance.now() - begin < 30_000, 'the store is locked for longer');
      const next = editor.say(id, 'And now?');
      lock?.execute('COMMIT');
      lock?.close();
      await editor.until(() => said().includes('session_info_update'));
      assert.deepEqual(scene.journal.lines, ['start files'], 'a cancelled call does not run');
      // It has waited for the end of the cancelled turn.
      assert.equal(await next, 'end_turn');
      const store = await sqliteStore({ folder });
      context.after(() => store.close());
      const answer = (await store.read(id)).find(({ kind }) => kind === 'answer');
      assert.equal(answer?.body.approved, true);
    },
  );
});
