import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { methods } from '@agentclientprotocol/sdk';
import { editorScene, limited } from './acp.test-support.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n/Type /Page\n').toString('base64');

suite('files of a session that an editor loads', () => {
  test('come as images and resources, as the editor has sent them', limited, async (context) => {
    const scene = await editorScene(context, [{ text: 'A dot.' }, { text: 'Nothing.' }]);
    const editor = await scene.connect();
    const id = await editor.begin();
    const text = { type: 'text', text: 'What is this?' } as const;
    const image = { type: 'image', data: PNG, mimeType: 'image/png', uri: 'shot.png' } as const;
    const resource = { blob: PDF, mimeType: 'application/pdf', uri: 'a.pdf' };
    const prompt = [text, image, { type: 'resource' as const, resource }];
    await editor.agent.request(methods.agent.session.prompt, { sessionId: id, prompt });
    assert.equal(await editor.say(id, 'And now?'), 'end_turn');
    const other = await scene.connect();
    await other.load(id);
    const said = other
      .updates(id)
      .flatMap((update) => (update.sessionUpdate === 'user_message_chunk' ? [update] : []));
    const blocks = said.map(({ content }) => content);
    assert.deepEqual(blocks.slice(1), [
      image,
      { type: 'resource', resource },
      { type: 'text', text: 'And now?' },
    ]);
    assert.match(JSON.stringify(blocks[0]), /What is this\?/);
    const [first, second] = new Set(said.map(({ messageId }) => messageId));
    assert.ok(first !== second);
    assert.deepEqual([await editor.end(), await other.end()], [0, 0]);
  });
});
