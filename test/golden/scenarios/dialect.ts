import type { ReplyCall } from '@toolfold/testing';

/** A call through the dispatcher of `dispatch`. */
export const dispatched = (name: string, n: number | object): ReplyCall => ({
  name: 'deferred_tool_call',
  arguments: { tool_name: `work__${name}`, arguments: inputOf(n) },
});

/** A call through the dispatcher of `bridge`. */
export const bridged = (name: string, n: number): ReplyCall => ({
  name: 'tool_call',
  arguments: { name: `work__${name}`, arguments: inputOf(n) },
});

/** A call by the tool's own name. */
export const direct = (name: string, n: number): ReplyCall => ({
  name: `work__${name}`,
  arguments: inputOf(n),
});

export const load = (...tool_names: string[]): ReplyCall => ({
  name: 'load_tools',
  arguments: { group_id: 'mcp:work', ...(tool_names.length > 0 ? { tool_names } : {}) },
});

const inputOf = (n: number | object): object => (typeof n === 'number' ? { n } : n);
