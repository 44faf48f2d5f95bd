// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { methods, type SessionConfigOption } from '@agentclientprotocol/sdk';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { type Editor, editorScene, limited, type Scene, shown } from './acp.test-support.ts';

const { session } = methods.agent;
const numberIn = (text: string | null | undefined) =>
  Number((/tools (?:off, )?([\d,]+)/.exec(text ?? '')?.[1] ?? '0').replaceAll(',', ''));
const toolsOf = (options: readonly SessionConfigOption[] | null | undefined) =>
  options?.find(({ id }) => id === 'tools')?.description;

/** What the editor was last told of the tools: by an answer that opened the session, else by an update. */
function told(editor: Editor, id: string, first: string | null | undefined) {
  const texts = editor
    .updates(id)
    .flatMap((one) =>
      one.sessionUpdate === 'config_option_update' ? [toolsOf(one.configOptions)] : [],
    );
  return texts.at(-1) ?? first;
}

/** Sends a message, and compares what was said of its request with what was sent. */
async function measure({ editor, scene, id, option }: Measured, message: string): Promise<void> {
  await editor.say(id, '/context');
  const line = (shown(editor.updates(id)) as { text?: string }[]).at(-1)?.text;
  await editor.say(id, message);
  const { tools, system } = countBody(scene.model.requests.at(-1) ?? assert.fail(), estimateTokens);
  const sent = tools + system;
  for (const said of [option, line])
    assert.ok(Math.abs(numberIn(said) - sent) <= 0.05 * sent, `${message}: ${said}: ${sent} sent`);
}

interface Measured {
  readonly editor: Editor;
  readonly scene: Scene;
  readonly id: string;
  readonly option: string | null | undefined;
}

const LONG = 'word '.repeat(3_000);

suite('toolfold acp: what the next request holds of tools', () => {
  for (const strategy of ['eager', 'dispatch'])
    test(
      `its options and /context say it, with subagents, ${strategy}`,
      limited,
      async (context) => {
        const scene = await editorScene(context, () => ({ text: 'Yes.' }), {
          toolfold: { subagents: true, strategy },
        });
        const editor = await scene.connect();
        const { sessionId: id, configOptions } = await editor.agent.request(
          session.new,
          editor.place,
        );
        const first = toolsOf(configOptions);
        const next = (option = told(editor, id, first)) => ({ editor, scene, id, option });
        await measure(next(), 'Hello');
        await measure(next(), LONG);
        const switched = async (value: string) => {
          const answer = await editor.agent.request(session.setConfigOption, {
            ...{ sessionId: id, configId: 'tools', value },
          });
          return toolsOf(answer.configOptions);
        };
        const off = await switched('off');
        assert.match(off ?? '', /tools off, [\d,]+ tokens still sent in this epoch/);
        await measure(next(off), 'And without?');
        await measure(next(await switched('on')), 'And with?');
        // A second process, to which the events are only known from the entries.
        const other = await scene.connect();
        const { configOptions: loaded } = await other.load(id);
        await measure({ ...next(toolsOf(loaded)), editor: other }, 'And elsewhere?');
      },
    );

  test(
    'the context is told anew after a compaction and a change of the tools',
    limited,
    async (context) => {
      const scene = await editorScene(context, () => ({ text: 'Yes.' }));
      const editor = await scene.connect();
      const id = await editor.begin();
      const usages = () =>
        editor
          .updates(id)
          .flatMap((one) => (one.sessionUpdate === 'usage_update' ? [one.used] : []));
      for (const message of [LONG, LONG, 'And?']) await editor.say(id, message);
      const [before = 0] = usages().slice(-1);
      await editor.say(id, '/compact');
      const [compacted = before] = usages().slice(-1);
      assert.ok(compacted < before / 2, `${compacted} after ${before}`);
      const set = { sessionId: id, configId: 'tools', value: 'off' };
      await editor.agent.request(session.setConfigOption, set);
      assert.ok((usages().at(-1) ?? compacted) < compacted);
    },
  );
});
