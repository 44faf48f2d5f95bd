/**
 * An app with forty tools of its own (`support-tools.ts`) and no server: a route handler as in Next.js,
 * a chat as `useChat` holds it, and an approval that the user answers in a second request. The model is a
 * script.
 */
import assert from 'node:assert/strict';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createFold } from '@toolfold/ai-sdk';
import { auditPrefix, formatAuditReport, type Reply, startModelServer } from '@toolfold/testing';
import {
  AbstractChat,
  convertToModelMessages,
  createUIMessageStreamResponse,
  DefaultChatTransport,
  getToolName,
  isStepCount,
  isToolUIPart,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { supportTools } from './support-tools.ts';

const dispatch = (tool_name: string, input: object): Reply => ({
  calls: [{ name: 'deferred_tool_call', arguments: { tool_name, arguments: input } }],
});
const server = await startModelServer({
  script: [
    // The app's own tools are the group `app`, under their own names.
    {
      calls: [
        {
          name: 'load_tools',
          arguments: { group_id: 'app', tool_names: ['list_payments', 'refund_payment'] },
        },
      ],
    },
    dispatch('list_payments', { invoice_id: 'inv_2041' }),
    dispatch('refund_payment', { payment_id: 'pay_771', reason: 'duplicate' }),
    { text: 'The second payment is refunded.' },
  ],
});
const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
  'claude-sonnet-4-5',
);

// --- app/api/chat/route.ts

// Without `strategy`, `auto` compares the costs and chooses for each model.
const fold = createFold({ tools: supportTools, strategy: 'dispatch' });

export async function POST(request: Request): Promise<Response> {
  const { messages }: { messages: UIMessage[] } = await request.json();
  const result = streamText({
    ...fold.with(model),
    instructions: 'You help the support team. Ask before you assume.',
    messages: await convertToModelMessages(messages, { tools: supportTools }),
    stopWhen: isStepCount(5),
    // A browser holds the messages: the signature proves that this server asked for the approval.
    experimental_toolApprovalSecret: process.env.TOOL_APPROVAL_SECRET ?? 'a secret of the server',
  });
  const stream = toUIMessageStream({ stream: result.stream, originalMessages: messages });
  return createUIMessageStreamResponse({ stream });
}

// --- app/page.tsx: what `useChat` does, without React

class Chat extends AbstractChat<UIMessage> {
  constructor(transport: DefaultChatTransport<UIMessage>) {
    const messages: UIMessage[] = [];
    super({
      transport,
      state: {
        status: 'ready',
        error: undefined,
        messages,
        pushMessage: (message) => messages.push(message),
        popMessage: () => messages.pop(),
        replaceMessage: (index, message) => messages.splice(index, 1, structuredClone(message)),
        snapshot: structuredClone,
      },
    });
  }

  /** The calls of the last message, with the number of their step. */
  calls(): { name: string; step: number; state: string; approval: string | undefined }[] {
    let step = 0;
    return (this.lastMessage?.parts ?? []).flatMap((part) => {
      if (part.type === 'step-start') step++;
      if (!isToolUIPart(part)) return [];
      return { name: getToolName(part), step, state: part.state, approval: part.approval?.id };
    });
  }
}

let posts = 0;
const chat = new Chat(
  new DefaultChatTransport({
    api: 'http://localhost/api/chat',
    fetch: async (url, init) => {
      posts++;
      return POST(new Request(url, init));
    },
  }),
);

// --- one conversation

const { tools, strategy, reason } = fold.explain(model);
const deferred = tools.filter(({ status }) => status === 'deferred');
console.log(`${strategy}: ${reason}; ${deferred.length} of ${tools.length} tools are deferred`);

await chat.sendMessage({ text: 'inv_2041 was paid twice. Refund the second payment.' });
console.table(chat.calls());
assert.equal(chat.error, undefined);
assert.deepEqual(
  chat.calls().map(({ name, step, state }) => [name, step, state]),
  [
    ['load_tools', 1, 'output-available'], // a load and the call that follows it are one step
    ['list_payments', 1, 'output-available'],
    ['refund_payment', 2, 'approval-requested'],
  ],
);

const asked = chat.calls().flatMap(({ approval }) => approval ?? []);
assert.equal(asked.length, 1);
console.log('(the user is asked about refund_payment and approves)');
await chat.addToolApprovalResponse({ id: asked[0] ?? '', approved: true });
await chat.sendMessage(); // `useChat` does this by itself with `sendAutomaticallyWhen`
console.table(chat.calls());
assert.equal(chat.error, undefined);
assert.deepEqual([posts, chat.calls().at(-1)?.state], [2, 'output-available']);
assert.deepEqual(
  chat.calls().flatMap(({ approval }) => approval ?? []),
  asked,
);
assert.match(JSON.stringify(chat.lastMessage), /"refund":"re_12".*The second payment is refunded/);

// Four requests: each repeats what was sent before, byte by byte, so the provider's cache holds.
const report = auditPrefix(server.requests);
console.log(formatAuditReport(report));
assert.equal(server.requests.length, 4);
assert.ok(report.held);
await server.close();
