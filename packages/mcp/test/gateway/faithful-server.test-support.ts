/**
 * A server that uses every feature of the protocol, and answers with what the SDK's schemas do not know. Run:
 * `node faithful-server.test-support.ts legacy|modern stdio|http`.
 */
import {
  type Era,
  type Json,
  type Parts,
  Refused,
  type Request,
  serveHttp,
  serveStdio,
} from './raw-server.test-support.ts';

const text = (value: unknown): Json => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

/** A result with what others would drop, sort or refuse. */
const ODD: Json = {
  zebra: { z: 1, a: [2, null, 9_007_199_254_740_991, -1.5e-7] },
  structuredContent: { beta: [1], alpha: { nested: true } },
  content: [
    { text: 'first', type: 'text', odd: 1, annotations: { priority: 0.5, unknown: [] } },
    { type: 'hologram', _meta: { z: 1, a: 2 }, depth: 3 },
    { type: 'resource', resource: { text: 'x', uri: 'fixture://other', _meta: { k: 1 } } },
    {
      type: 'resource_link',
      uri: 'fixture://page/1',
      name: 'one',
      size: 12,
      icons: [{ src: 'i' }],
    },
  ],
  _meta: { 'example.com/z': 1, a: { c: 1, b: 2 } },
  isError: false,
};

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Milliseconds between two notices. */
const PAUSE = 20;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** The server's own state, which a connection that is kept shares with all its calls. `more`: further tools. */
export function faithfulParts(more: readonly string[] = []): Parts {
  let count = 0;
  let cancelled = 0;
  let roots: unknown = 'none';
  let level: unknown = 'none';
  const grown: Json[] = [];
  const followed = new Set<unknown>();
  const tools: Record<string, (request: Request) => Promise<Json> | Json> = {
    odd: () => ODD,
    media: () => ({
      content: [
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      ],
    }),
    completed: async ({ notify }) => {
      notify('notifications/elicitation/complete', { elicitationId: 'one', odd: 1 });
      await pause();
      return text('completed');
    },
    fail: () => ({ ...text('It failed.'), isError: true, structuredContent: { why: 'because' } }),
    refuse: ({ params }) => {
      const { data = { z: 1, a: [{}] } } = (params.arguments ?? {}) as Json;
      throw new Refused({ code: -32050, message: 'No.', data });
    },
    given: ({ params, meta }) =>
      text({
        arguments: params.arguments ?? null,
        others: Object.keys(params).filter((key) => !['name', 'arguments', '_meta'].includes(key)),
        meta: Object.fromEntries(
          Object.entries(meta).filter(([key]) => !/^io\.modelcontextprotocol|^progress/.test(key)),
        ),
      }),
    capabilities: ({ capabilities }) => text(capabilities),
    progress: async ({ meta, notify }) => {
      const { progressToken } = meta;
      for (const progress of [1, 2]) {
        if (progressToken !== undefined)
          notify('notifications/progress', {
            ...{ progressToken, progress, total: 2, message: `step ${progress}`, odd: { z: 1 } },
          });
        await pause();
      }
      return text('done');
    },
    log: async ({ era, meta, notify }) => {
      // Since 2026-07-28 a server sends log messages only for requests that ask for them.
      if (era === 'modern' && meta['io.modelcontextprotocol/logLevel'] === undefined)
        return text('nobody asked');
      for (const level of ['debug', 'warning'])
        notify('notifications/message', { level, logger: 'the logger', data: { z: 1, a: level } });
      await pause();
      return text('logged');
    },
    ask: async ({ ask, params, progress }) => {
      const { questions, state } = (params.arguments ?? {}) as { questions: never; state?: string };
      const answers = await ask(questions, state);
      return text(progress.length === 0 ? answers : { ...answers, progress });
    },
    hang: async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      cancelled += 1;
      return text('never');
    },
    cancelled: () => text(cancelled),
    count: () => text(++count),
    roots: () => text(roots),
    level: () => text(level),
    grow: ({ announce }) => {
      grown.push({ name: `grown-${grown.length}`, inputSchema: { type: 'object' } });
      announce('notifications/tools/list_changed');
      return text('grown');
    },
    crash: () => process.exit(1),
    followed: () => text([...followed]),
    touch: ({ announce }) => {
      announce('notifications/resources/updated', { uri: 'fixture://page/1', odd: 1 });
      return text('touched');
    },
  };
  for (const name of more) tools[name] = () => text(`${name} of the server`);
  const definitions = Object.keys(tools).map((name) => ({
    title: `The ${name}`,
    name,
    description: `Does ${name}.`,
    inputSchema: {
      type: 'object',
      properties: name === 'given' ? { count: { type: 'integer' } } : {},
    },
    annotations: { readOnlyHint: true, odd: 'kept' },
    'x-odd': { z: 1, a: 2 },
    ...(name === 'odd' && { outputSchema: { type: 'object', required: ['missing'] } }),
    ...(name === 'media' && { icons: [{ src: 'data:,', sizes: ['1x1'] }], _meta: { z: 1, a: 2 } }),
  }));
  const paged = (key: string, items: Json[], { params }: Request): Json => {
    const at = Number(params.cursor ?? 0);
    const more = at + 2 < items.length && { nextCursor: String(at + 2) };
    return { [key]: items.slice(at, at + 2), ...more };
  };
  const pages = [1, 2, 3].map((n) => ({
    uri: `fixture://page/${n}`,
    name: `page ${n}`,
    odd: { n },
  }));
  const prompts = ['greet', 'part', 'wait'].map((name) => ({
    name,
    arguments: [{ name: 'who', required: false }],
    odd: 1,
  }));
  return {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    initialized: (ask) => {
      ask('roots/list').then(
        (result) => {
          roots = result;
        },
        () => {},
      );
    },
    handle: (request) => {
      const { method, params } = request;
      switch (method) {
        case 'tools/list':
          return { tools: [...definitions, ...grown] };
        case 'tools/call': {
          const call = tools[String(params.name)];
          if (call) return call(request);
          const isGrown = grown.some(({ name }) => name === params.name);
          if (isGrown) return text(`called ${params.name}`);
          throw new Refused({ code: -32602, message: `Unknown tool: ${params.name}` });
        }
        case 'resources/list':
          return paged('resources', pages, request);
        case 'resources/templates/list':
          return {
            resourceTemplates: [{ uriTemplate: 'fixture://by/{id}', name: 'by id', odd: 1 }],
          };
        case 'resources/read': {
          const uri = String(params.uri);
          if (!/^fixture:\/\/(page|by)\//.test(uri)) {
            const code = request.era === 'legacy' ? -32002 : -32602;
            throw new Refused({ code, message: 'Resource not found', data: { uri } });
          }
          return { odd: 1, contents: [{ text: `text of ${uri}`, uri, _meta: { z: 1, a: 2 } }] };
        }
        case 'resources/subscribe':
          followed.add(params.uri);
          return {};
        case 'resources/unsubscribe':
          followed.delete(params.uri);
          return {};
        case 'logging/setLevel':
          level = params.level ?? level;
          return {};
        case 'prompts/list':
          return paged('prompts', prompts, request);
        case 'prompts/get': {
          const messages = [{ role: 'user', content: { text: String(params.name), type: 'text' } }];
          return { odd: { z: 1 }, messages, description: 'd' };
        }
        case 'completion/complete':
          return { completion: { values: ['one', 'two'], total: 2, odd: 1 }, given: params.ref };
        default:
          throw new Refused({ code: -32601, message: 'Method not found' });
      }
    },
  };
}

const [era, way, ...more] = process.argv.slice(2);
if (import.meta.main && (era === 'legacy' || era === 'modern')) {
  if (way === 'http') console.log((await serveHttp(era satisfies Era, faithfulParts)).url);
  else serveStdio(era, faithfulParts(more));
}
