/**
 * An app as somebody writes it who has installed `toolfold`, `ai`, `zod` and the types of Node, and
 * nothing else. `test/packing.test.ts` compiles it with strict options. It is never run.
 */
import {
  type Agent,
  type AgentEvent,
  createAgent,
  createRecall,
  createRouter,
  createScreen,
  createSubagents,
  eventsOf,
  preloadBy,
  rolesWith,
} from '@toolfold/agent';
import { createSession, memoryStore, openSession, sqliteStore } from '@toolfold/agent/sessions';
import {
  type AppApproval,
  type BeforeToolCall,
  createFold,
  type FoldFields,
  type RequestEvent,
  type SdkToolGroup,
  type WithOptions,
} from '@toolfold/ai-sdk';
import {
  createToolLayer,
  type DeferredToolGroup,
  estimateTokens,
  resumeState,
  ToolfoldError,
} from '@toolfold/core';
import { measure } from '@toolfold/core/estimate';
import { nativeFormsOf, pricesOf } from '@toolfold/core/models';
import { createLexicalSearch } from '@toolfold/core/search';
import { loadVectors } from '@toolfold/core/vectors';
import { fakeGroup, recordFetch, startMcpServer, startModelServer } from '@toolfold/testing';
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateText,
  type InferUITools,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  ToolLoopAgent,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { z } from 'zod';

const ask = tool({
  description: 'Asks the user a question.',
  inputSchema: z.object({ question: z.string(), options: z.array(z.string()).optional() }),
  outputSchema: z.object({ answer: z.string() }),
});
const add_note = tool({
  description: 'Adds a note.',
  inputSchema: z.object({ text: z.string() }),
  contextSchema: z.object({ user: z.string() }),
  needsApproval: ({ text }) => text.length > 1_000,
  execute: async ({ text }, { context, abortSignal }) => {
    abortSignal?.throwIfAborted();
    return { kept: text, by: context.user };
  },
});
const watch = tool({
  inputSchema: z.object({ seconds: z.number() }),
  async *execute({ seconds }) {
    for (let second = 0; second < seconds; second++) yield { second };
  },
});
const tools = { ask, add_note, watch };
type AppTools = typeof tools;
type AppMessage = UIMessage<never, never, InferUITools<AppTools>>;

const crm: SdkToolGroup = {
  groupId: 'crm',
  description: 'Customers and their history',
  toolNames: ['find_customer'],
  loader: async ({ signal }) => {
    signal.throwIfAborted();
    return { find_customer: tool({ inputSchema: z.object({ name: z.string() }) }) };
  },
};
const tracker: DeferredToolGroup = {
  groupId: 'mcp:tracker',
  toolNames: ['create_issue'],
  loader: async () => [
    { name: 'create_issue', inputSchema: { type: 'object' }, execute: () => ({ number: 7 }) },
  ],
};

const beforeToolCall: BeforeToolCall = ({ name, arguments: input }) => {
  if (name === 'tracker__create_issue' && input === undefined) return { deny: 'It needs a title.' };
  return name.startsWith('crm__') ? { ask: true } : undefined;
};
const toolApproval: AppApproval = ({ toolCall }: { toolCall: { toolName: string } }) =>
  toolCall.toolName === 'add_note' ? { type: 'user-approval', reason: 'Notes stay.' } : undefined;

const fold = createFold({
  tools,
  groups: [crm, tracker],
  strategy: 'auto',
  exposure: { ask: 'inline', '*/delete_*': 'hidden' },
  catalog: { budget: 2_000 },
  roles: rolesWith({ support: { tools: ['crm'], maxRounds: 3 } }),
  countTokens: estimateTokens,
  maxResultLength: 20_000,
  search: createLexicalSearch({ vectors: await loadVectors() }),
  onRequest: ({ tokens, segments }: RequestEvent) => console.log(tokens, segments.length),
  onCall: process.env.DEBUG ? (event) => console.log(event.name) : undefined,
  onWarning: console.warn,
});

/** A route handler of a chat. */
export async function chat(model: LanguageModel, request: Request): Promise<Response> {
  const { messages, role }: { messages: AppMessage[]; role?: string } = await request.json();
  const fields = fold.with(model, {
    role,
    hooks: { beforeToolCall },
    toolApproval,
    observers: { started: ({ name }) => console.log(name) },
    preload: preloadBy(createRouter()),
    notice: () => 'It is Monday.',
  });
  const result = streamText({
    ...fields,
    messages: await convertToModelMessages(messages, { tools: fields.tools }),
    stopWhen: isStepCount(20),
    toolsContext: { add_note: { user: 'ada' } },
    activeTools: ['ask', 'crm__find_customer', ...fold.bridgeNames(model)],
    prepareStep: ({ stepNumber }) => (stepNumber > 10 ? { toolChoice: 'none' } : {}),
    onStepEnd: ({ toolCalls }) => console.log(toolCalls[0]?.toolName),
  });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) });
}

/** One answer, with the types of the app's own tools. */
export async function answer(model: LanguageModel, messages: ModelMessage[]): Promise<string> {
  const options: WithOptions = {
    strategy: 'dispatch',
    toolApproval: { ask: 'approved', crm__find_customer: { type: 'denied' } },
  };
  const fields: FoldFields<AppTools> = fold.with(model, options);
  const result = await generateText({
    ...fields,
    messages,
    toolsContext: { add_note: { user: 'ada' } },
    toolChoice: { type: 'tool', toolName: 'crm__find_customer' },
  });
  for (const call of result.staticToolCalls)
    if (call.toolName === 'ask') console.log(call.input.question.length, call.input.options?.[0]);
  const state = await fold.state(model, result.response.messages);
  const again = fold.with(model, { state, onMismatch: 'new-epoch' });
  const { text } = await generateText({
    ...again,
    prompt: 'Go on.',
    toolsContext: { add_note: { user: 'ada' } },
  });
  return text;
}

/** The agents of the SDK. */
export function agents(model: LanguageModel): { readonly plain: object; readonly own: object } {
  const groups = { groups: [crm, tracker], onChange: () => () => {} };
  const plain = new ToolLoopAgent({ ...createFold({ groups }).with(model), instructions: 'Go.' });
  const own = new ToolLoopAgent({
    ...createFold({ tools: { ask, watch } }).with(model),
    stopWhen: isStepCount(3),
  });
  return { plain, own };
}

/** An agent of Toolfold, which keeps its conversation. */
export async function talk(model: LanguageModel, sessionId: string | undefined): Promise<Agent> {
  const store = process.env.CI ? memoryStore() : await sqliteStore();
  const session = sessionId
    ? await openSession(store, sessionId)
    : await createSession(store, { title: 'A talk' });
  const recall = createRecall();
  const subagents = createSubagents({
    model: (role) => (role === 'coder' ? model : undefined),
    wide: true,
  });
  const agent = createAgent({
    model,
    session,
    tools: { ...recall.tools, ...subagents.tools },
    subagents,
    groups: [crm, tracker],
    approvals: { mode: 'annotations', ask: async ({ name }) => ({ approved: name !== 'ask' }) },
    hooks: { beforeToolCall },
    models: { 'claude-opus-5-5': { maxRounds: 9 } },
    onUnknown: async () => undefined,
  });
  const screen = createScreen();
  for (const event of eventsOf(session.entries)) screen.take(event);
  for await (const event of agent.send('Hello', { signal: AbortSignal.timeout(1_000) })) {
    screen.take(event);
    show(event);
  }
  return agent;
}

function show(event: AgentEvent): void {
  if (event.type === 'call') console.log(event.name, event.arguments);
  if (event.type === 'end') console.log(event.reason, event.error?.message);
}

/** The core without an SDK, and what the other subpaths offer. */
export async function core(): Promise<void> {
  const layer = createToolLayer({ groups: [tracker], strategy: 'bridge' });
  const session = layer.session();
  const { system, tools: declared } = session.present([{ role: 'user' }]);
  const route = await session.route({ id: '1', name: 'load_tools', input: {} });
  if (route.kind === 'answer') console.log(route.result.error);
  const { totals } = await measure(layer);
  const forms = nativeFormsOf({ provider: 'anthropic', modelId: 'claude-opus-5-5' });
  console.log(system, declared[0]?.name, totals, forms[0], pricesOf, resumeState);
  try {
    createToolLayer({ groups: [fakeGroup({ groupId: 'mcp:a' })] });
  } catch (error) {
    if (error instanceof ToolfoldError) console.log(error.code, error.hint);
  }
}

/** The tests of the app. */
export async function tests(): Promise<void> {
  await using models = await startModelServer({ script: [{ text: 'Hello.' }] });
  await using servers = await startMcpServer({ tools: [], callTool: () => ({ content: [] }) });
  const fetch = recordFetch((call) => console.log(call));
  await fetch(models.baseUrl('anthropic'));
  console.log(servers.listings, models.requests[0]?.url);
}
