import type { ReplyCall } from '@toolfold/testing/internal/doubles/model-server.ts';
import { ENDPOINTS, type Endpoint, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';

export type StrategyName = 'dispatch' | 'bridge' | 'native' | 'eager' | 'inject' | 'lazy';

/** The calls of a scripted model in a strategy. */
interface Spoken {
  readonly endpoint: Endpoint;
  readonly options?: object;
  /** Missing if the strategy has no loader. */
  readonly load?: () => ReplyCall;
  /** Missing if the strategy has no dispatcher. */
  readonly dispatch?: (name: string, input: unknown) => ReplyCall;
}

const [anthropic] = ENDPOINTS as readonly [Endpoint];
const [inline] = NATIVE_ENDPOINTS as readonly [(typeof NATIVE_ENDPOINTS)[number]];
const load = () => ({ name: 'load_tools', arguments: { group_id: 'mcp:mail' } });

export const DIALECTS: Readonly<Record<StrategyName, Spoken>> = {
  dispatch: {
    endpoint: anthropic,
    load,
    dispatch: (tool_name, input) => ({
      name: 'deferred_tool_call',
      arguments: { tool_name, arguments: input },
    }),
  },
  bridge: {
    endpoint: anthropic,
    load: () => ({ name: 'tool_describe', arguments: { name: 'mail__send' } }),
    dispatch: (name, input) => ({ name: 'tool_call', arguments: { name, arguments: input } }),
  },
  native: { endpoint: inline, options: { capabilities: inline.capabilities }, load },
  eager: { endpoint: anthropic },
  inject: { endpoint: anthropic, load },
  lazy: {
    endpoint: anthropic,
    load: () => ({ name: 'request_tool', arguments: { name: 'mail__send' } }),
  },
};
