/**
 * The server that the conformance suite asks for, of one revision and with nothing in between. Run:
 * `node fixture.ts legacy|modern`.
 */
import {
  type Json,
  type Parts,
  type Questions,
  Refused,
  type Request,
  serveStdio,
} from '../../../packages/mcp/test/gateway/raw-server.test-support.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SOUND = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const text = (content: string): Json => ({ content: [{ type: 'text', text: content }] });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

const elicitation = (
  message: string,
  properties: Json,
  required?: string[],
): Questions[string] => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties, ...(required && { required }) },
  },
});
const sampling = (prompt: string, maxTokens: number): Questions[string] => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
});
const roots: Questions[string] = { method: 'roots/list', params: {} };

const name = { type: 'string' };
const userName = elicitation('What is your name?', { name }, ['name']);

type Tool = (request: Request, input: Json) => Promise<Json> | Json;

/** A tool that asks and shows the answers. */
const asking =
  (questions: Questions, state?: string, prefix = 'state-ok '): Tool =>
  async ({ ask }) =>
    text(`${prefix}${JSON.stringify(await ask(questions, state))}`);

const choice = (options: string[]): Json[] =>
  options.map((title, at) => ({ const: `value${at + 1}`, title }));

/** One question as before 2026-07-28, with its answer in the words of the suite. */
const elicit =
  (properties: Json): Tool =>
  async ({ ask }) => {
    const { answer = {} } = await ask({ answer: elicitation('Please answer.', properties) });
    const { action, content } = answer;
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
  };

async function multiRound({ params, ask, era }: Request): Promise<Json> {
  const first = { step1: elicitation('Step 1: What is your name?', { name }, ['name']) };
  const color = { color: { type: 'string' } };
  const second = { step2: elicitation('Step 2: What is your favorite color?', color, ['color']) };
  if (era === 'legacy' || params.requestState !== 'round-2') await ask(first, 'round-1');
  return text(`done ${JSON.stringify(await ask(second, 'round-2'))}`);
}

const tools: Readonly<Record<string, Tool>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({
    content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_tool_with_logging: async ({ notify }) => {
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]) {
      notify('notifications/message', { level: 'info', logger: 'test', data });
      await pause();
    }
    return text('It was logged.');
  },
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  test_tool_with_progress: async ({ notify, meta }) => {
    const { progressToken } = meta;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        notify('notifications/progress', { progressToken, progress, total: 100 });
      await pause();
    }
    return text('It made progress.');
  },
  test_sampling: async ({ ask }, { prompt }) => {
    const { answer = {} } = await ask({ answer: sampling(String(prompt), 100) });
    const content = answer.content as Json | undefined;
    return text(`LLM response: ${content?.text}`);
  },
  test_elicitation: async ({ ask }, { message }) => {
    const described = (description: string): Json => ({ type: 'string', description });
    const fields = {
      username: described("User's response"),
      email: described("User's email address"),
    };
    const asked = elicitation(String(message), fields, ['username', 'email']);
    const { answer = {} } = await ask({ answer: asked });
    return text(`User response: ${JSON.stringify(answer)}`);
  },
  test_elicitation_sep1034_defaults: elicit({
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  test_elicitation_sep1330_enums: elicit({
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: choice(['First Option', 'Second Option', 'Third Option']),
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      items: { anyOf: choice(['First Choice', 'Second Choice', 'Third Choice']) },
    },
  }),
  test_input_required_result_elicitation: asking({ user_name: userName }),
  test_input_required_result_sampling: asking({
    capital_question: sampling('What is the capital of France?', 100),
  }),
  test_input_required_result_list_roots: asking({ client_roots: roots }),
  test_input_required_result_request_state: asking(
    { confirm: elicitation('Please confirm', { ok: { type: 'boolean' } }, ['ok']) },
    'the-state',
  ),
  test_input_required_result_multiple_inputs: asking(
    { user_name: userName, greeting: sampling('Generate a greeting', 50), client_roots: roots },
    'the-state',
  ),
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_tampered_state: asking(
    { confirm: elicitation('Please confirm', { ok: { type: 'boolean' } }, ['ok']) },
    'the-state',
  ),
  test_input_required_result_capabilities: ({ capabilities, ask }) => {
    const questions: Questions = {
      ...(capabilities.elicitation !== undefined && { user_name: userName }),
      ...(capabilities.sampling !== undefined && { greeting: sampling('Greet', 50) }),
      ...(capabilities.roots !== undefined && { client_roots: roots }),
    };
    return Object.keys(questions).length === 0
      ? text('nothing to ask')
      : asking(questions)({ ask } as Request, {});
  },
  test_missing_capability: ({ capabilities }) => {
    if (capabilities.sampling !== undefined) return text('It can sample.');
    throw new Refused({
      code: -32021,
      message: 'Missing required client capabilities: sampling',
      data: { requiredCapabilities: { sampling: {} } },
    });
  },
  test_streaming_elicitation: asking({ user_name: userName }),
  json_schema_2020_12_tool: () => text('It has a schema.'),
  test_trigger_tool_change: ({ announce }) => {
    extra.tools += 1;
    announce('notifications/tools/list_changed');
    return text('changed');
  },
  test_trigger_prompt_change: ({ announce }) => {
    extra.prompts += 1;
    announce('notifications/prompts/list_changed');
    return text('changed');
  },
  test_logging_tool: ({ notify, era, meta }) => {
    // Since 2026-07-28 a server logs for a request that asks for it.
    if (era === 'legacy' || meta['io.modelcontextprotocol/logLevel'] !== undefined)
      notify('notifications/message', { level: 'info', logger: 'test', data: 'logged' });
    return text('It may have logged.');
  },
  test_x_mcp_header: (_, input) => text(JSON.stringify(input)),
};

/** How often the lists were changed. */
const extra = { tools: 0, prompts: 0 };

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const INPUTS: Readonly<Record<string, Json>> = {
  test_sampling: { type: 'object', properties: { prompt: name }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: name }, required: ['message'] },
  json_schema_2020_12_tool: SCHEMA_2020_12,
  test_x_mcp_header: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  },
};

const prompts: Readonly<Record<string, (input: Json) => Json[]>> = {
  test_simple_prompt: () => [{ type: 'text', text: 'This is a simple prompt for testing.' }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    { type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` },
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    {
      type: 'resource',
      resource: {
        uri: resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      },
    },
    { type: 'text', text: 'Please process the embedded resource above.' },
  ],
  test_prompt_with_image: () => [image, { type: 'text', text: 'Please analyze the image above.' }],
};

const argumentsOf: Readonly<Record<string, string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

const ASKING_PROMPT = 'test_input_required_result_prompt';

function read(uri: string, era: Request['era']): Json {
  const of = (content: Json): Json => ({ contents: [{ uri, ...content }] });
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return of({ mimeType: 'application/json', text: JSON.stringify(data) });
  }
  if (uri === 'test://static-text')
    return of({ mimeType: 'text/plain', text: 'This is the content of the static text resource.' });
  if (uri === 'test://static-binary') return of({ mimeType: 'image/png', blob: PIXEL });
  if (uri === 'test://watched-resource') return of({ mimeType: 'text/plain', text: 'watched' });
  const code = era === 'legacy' ? -32002 : -32602;
  throw new Refused({ code, message: 'Resource not found', data: { uri } });
}

async function prompt(request: Request): Promise<Json> {
  const { params, ask } = request;
  const input = (params.arguments ?? {}) as Json;
  const asked = String(params.name);
  if (asked === ASKING_PROMPT) {
    const context = { context: { type: 'string' } };
    const message = 'What context should the prompt use?';
    const given = await ask({ user_context: elicitation(message, context, ['context']) });
    const content = { type: 'text', text: JSON.stringify(given) };
    return { messages: [{ role: 'user', content }] };
  }
  const contents = prompts[asked]?.(input);
  if (!contents) throw new Refused({ code: -32602, message: `Unknown prompt: ${asked}` });
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}

export function conformanceParts(): Parts {
  return {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    handle: (request) => {
      const { method, params, era } = request;
      switch (method) {
        case 'tools/list':
          return {
            tools: [...Object.keys(tools), ...(extra.tools % 2 ? ['test_extra'] : [])].map(
              (tool) => ({
                name: tool,
                description: `The tool ${tool} of the suite.`,
                inputSchema: INPUTS[tool] ?? { type: 'object', properties: {} },
              }),
            ),
          };
        case 'tools/call': {
          const tool = tools[String(params.name)];
          if (tool) return tool(request, (params.arguments ?? {}) as Json);
          throw new Refused({ code: -32602, message: `Unknown tool: ${params.name}` });
        }
        case 'resources/list':
          return {
            resources: ['static-text', 'static-binary', 'watched-resource'].map((resource) => ({
              uri: `test://${resource}`,
              name: resource,
            })),
          };
        case 'resources/templates/list':
          return {
            resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
          };
        case 'resources/read':
          return read(String(params.uri), era);
        case 'resources/subscribe':
        case 'resources/unsubscribe':
        case 'logging/setLevel':
          return {};
        case 'prompts/list':
          return {
            prompts: [
              ...[...Object.keys(prompts), ASKING_PROMPT],
              ...(extra.prompts % 2 ? ['test_extra'] : []),
            ].map((listed) => ({
              name: listed,
              description: `The prompt ${listed} of the suite.`,
              arguments: (argumentsOf[listed] ?? []).map((one) => ({ name: one, required: true })),
            })),
          };
        case 'prompts/get':
          return prompt(request);
        case 'completion/complete':
          return { completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } };
        default:
          throw new Refused({ code: -32601, message: 'Method not found' });
      }
    },
  };
}

const [era] = process.argv.slice(2);
if (import.meta.main) serveStdio(era === 'modern' ? 'modern' : 'legacy', conformanceParts());
