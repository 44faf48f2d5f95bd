import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { filterEventStream } from './event-stream.ts';
import { PendingRequests } from './pending-requests.ts';

const answer = '{"jsonrpc":"2.0","id":1,"result":{"text":"é😀"}}';
const note = '{"jsonrpc":"2.0","method":"notifications/message"}';

interface Read {
  readonly text: string;
  readonly excess: readonly string[];
  readonly ended: number;
}

/** The filtered output for these pieces, with request 1 open. */
async function read(pieces: Iterable<Uint8Array | string>): Promise<Read> {
  const requests = new PendingRequests();
  requests.sent({ id: 1, method: 'tools/call' });
  const excess: string[] = [];
  let ended = 0;
  const encoder = new TextEncoder();
  const bytes = Array.from(pieces, (piece) =>
    typeof piece === 'string' ? encoder.encode(piece) : piece,
  );
  let text = '';
  try {
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of bytes) controller.enqueue(piece);
        controller.close();
      },
    });
    const stream = filterEventStream(source, {
      requests,
      onExcess: (reason) => excess.push(reason),
      onEnd: () => ended++,
    });
    for await (const piece of stream.pipeThrough(new TextDecoderStream())) text += piece;
    text = text.replaceAll(/^data: (\{.*)$/gm, (_, standIn) => {
      const { message } = requests.standIns.take(JSON.parse(standIn)) ?? {};
      return `data: ${JSON.stringify(message)}`;
    });
  } catch (error) {
    assert.ok(excess.length > 0, String(error));
  }
  return { text, excess, ended };
}

suite('a stream of events', () => {
  test('is the same for all cuts and line ends', async () => {
    const expected = `event: message\nid: 5\ndata: ${answer}\n\n`;
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(sizes, ends, async (cuts, end) => {
        const lines = ['event: message', ': comment', 'id: 5', `data:${answer}`, '', ''];
        const bytes = new TextEncoder().encode(lines.join(end));
        const pieces: Uint8Array[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = cuts[i % cuts.length] ?? 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        const { text, ended } = await read([...pieces, '\n']);
        assert.equal(text, expected);
        assert.equal(ended, 1);
      }),
      { numRuns: 100 },
    );
  });

  test('limits the retry time on both sides', async () => {
    for (const [asked, expected] of [
      ['0', 'retry: 1000'],
      ['1500', 'retry: 1500'],
      ['99999999999999', 'retry: 30000'],
      ['soon', ''],
    ]) {
      const { text } = await read([`retry: ${asked}\nid: 1\ndata:\n\n`]);
      assert.equal(text, `${expected}${expected === '' ? '' : '\n'}id: 1\ndata: \n\n`);
    }
  });

  test('drops notifications without a listener, and text that is no message', async () => {
    const unhandled = '{"jsonrpc":"2.0","method":"notifications/odd"}';
    const events = [unhandled, note, 'hello', '[]', '5'].map((data) => `data: ${data}\n\n`);
    assert.equal((await read(events)).text, `data: ${note}\n\n`);
    const endpoint = 'event: endpoint\ndata: /messages?id=1\n\n';
    assert.equal((await read([endpoint])).text, endpoint);
  });

  test('is ended with a reason by an event that exceeds the limits', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    const piece = new TextEncoder().encode(megabyte);
    const long = await read(['data: ', ...Array.from({ length: 65 }, () => piece)]);
    assert.deepEqual(long.excess, ['it sent a message of more than 64 MB']);
    const levels = 20_000;
    const deep = await read([`data: ${'['.repeat(levels)}${']'.repeat(levels)}\n\n`]);
    assert.match(deep.excess.join(), /nested more than 10,000 levels/);
    const many = await read([`data: [${'{},'.repeat(1_000_001)}1]\n\n`]);
    assert.match(many.excess.join(), /more than 1,000,000 objects/);
  });
});
