import { isRecord } from '../../packages/core/src/values/json.ts';
import type { RecordedRequest, WireProvider } from '../../packages/testing/src/index.ts';
import { recordsOf } from '../../packages/testing/src/wire/recorded-request.ts';

/** A rule of a provider that the scripted server does not check. To add one, add a row. */
export interface WireRule {
  readonly name: string;
  readonly provider: WireProvider;
  /** Describes the violation; undefined if the rule holds. */
  readonly broken: (body: Readonly<Record<string, unknown>>) => string | undefined;
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const ID = /^[a-zA-Z0-9_-]+$/;

const blocks = (body: Readonly<Record<string, unknown>>): Record<string, unknown>[] =>
  recordsOf(body.messages).flatMap(({ content }) => recordsOf(content));
const chatCalls = (body: Readonly<Record<string, unknown>>): Record<string, unknown>[] =>
  recordsOf(body.messages).flatMap(({ tool_calls: calls }) => recordsOf(calls));
const functionOf = (call: Record<string, unknown>): Record<string, unknown> =>
  isRecord(call.function) ? call.function : {};

/** The first name in an earlier call that a provider would refuse. */
const illegal = (names: readonly unknown[]): string | undefined => {
  const found = names.find((name) => typeof name !== 'string' || !NAME.test(name));
  return found === undefined ? undefined : `the name ${JSON.stringify(found)}`;
};

export const WIRE_RULES: readonly WireRule[] = [
  {
    name: 'names of calls match the pattern of names',
    provider: 'anthropic',
    broken: (body) =>
      illegal(blocks(body).flatMap(({ type, name }) => (type === 'tool_use' ? [name] : []))),
  },
  {
    name: 'names of calls match the pattern of names',
    provider: 'openai-responses',
    broken: (body) =>
      illegal(
        recordsOf(body.input).flatMap(({ type, name }) => (type === 'function_call' ? [name] : [])),
      ),
  },
  {
    name: 'names of calls match the pattern of names',
    provider: 'openai-chat',
    broken: (body) => illegal(chatCalls(body).map((call) => functionOf(call).name)),
  },
  {
    name: 'ids of calls match their pattern',
    provider: 'anthropic',
    broken: (body) =>
      blocks(body)
        .filter(({ type }) => type === 'tool_use')
        .map(({ id }) => String(id))
        .find((id) => !ID.test(id)),
  },
  {
    name: 'text blocks hold more than white space',
    provider: 'anthropic',
    broken: (body) =>
      blocks(body).some(({ type, text }) => type === 'text' && String(text).trim() === '')
        ? 'a text block of white space'
        : undefined,
  },
  {
    name: 'the first message is a user message',
    provider: 'anthropic',
    broken: (body) => {
      const [first] = recordsOf(body.messages).filter(({ role }) => role !== 'system');
      return first?.role === 'user' ? undefined : `the role ${first?.role}`;
    },
  },
  {
    name: 'an assistant message holds text or calls',
    provider: 'openai-chat',
    broken: (body) => {
      const empty = recordsOf(body.messages).find(
        ({ role, content, tool_calls: calls }) =>
          role === 'assistant' && (content === null || content === undefined) && !calls,
      );
      return empty && JSON.stringify(empty);
    },
  },
  {
    name: 'arguments of calls are text',
    provider: 'openai-chat',
    broken: (body) =>
      chatCalls(body)
        .map((call) => functionOf(call).arguments)
        .filter((given) => typeof given !== 'string')
        .map((given) => JSON.stringify(given) ?? 'nothing')[0],
  },
  {
    name: 'each call is answered once',
    provider: 'openai-responses',
    broken: (body) => {
      const ids = recordsOf(body.input).flatMap(({ type, call_id: id }) =>
        type === 'function_call_output' ? [id] : [],
      );
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      return twice === undefined ? undefined : `two outputs for ${twice}`;
    },
  },
  {
    name: 'reasoning is followed by an item of the model',
    provider: 'openai-responses',
    broken: (body) => {
      const items = recordsOf(body.input);
      const at = items.findIndex(({ type }, index) => {
        if (type !== 'reasoning') return false;
        const next = items[index + 1];
        const isFromModel =
          next?.role === 'assistant' || /_call$|reasoning|reference/.test(String(next?.type));
        return !isFromModel;
      });
      return at < 0 ? undefined : `item ${at} is reasoning with nothing behind it`;
    },
  },
];

/** A lone surrogate. JSON escapes only lone ones, and Anthropic refuses them. */
const LONE_SURROGATE = /\\ud[89a-f][0-9a-f]{2}/;

/** The rules that a request breaks. */
export function brokenRules({ provider, body, raw }: RecordedRequest): string[] {
  const lone = provider === 'anthropic' ? LONE_SURROGATE.exec(raw) : null;
  if (lone) return [`no character is cut in half: ${raw.slice(lone.index - 80, lone.index + 20)}`];
  return WIRE_RULES.filter((rule) => rule.provider === provider).flatMap(({ name, broken }) => {
    const what = broken(body);
    return what === undefined ? [] : [`${name}: ${what}`];
  });
}
