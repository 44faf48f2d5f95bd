import type { RequestEvent } from '@toolfold/ai-sdk';
import { brokenText, readRaw } from '@toolfold/ai-sdk/internal/metadata';
import type { LanguageModelV4StreamPart } from '@toolfold/ai-sdk/internal/protocol';
import { listIn, ownProperty, parsedJson } from '@toolfold/core/internal/tools/values';
import type { AgentEvent } from '../events/index.ts';

type CallEvent = Extract<AgentEvent, { type: 'call' }>;

/** A call as the model has written it. */
type WrittenCall = Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>;

/** What is known about tools beside the call. */
export interface ToolFacts {
  /** Whether a name is that of a real tool and not of a bridge tool. */
  readonly isReal: (name: string) => boolean;
  /** Whether the SDK refuses each call, because the request has no tools. */
  readonly refusesCalls: () => boolean;
  readonly schemaOf: RequestEvent['schemaOf'] | undefined;
}

/** A call that is shown, and the answer for the model if it cannot run. */
export interface ShownCall {
  readonly event: CallEvent;
  readonly answer: string | undefined;
}

/**
 * The event of a call. A call of a bridge tool is shown only if it cannot run, under the name of its
 * target tool.
 */
export function callEvent(
  { toolCallId: id, toolName, input: text, providerMetadata }: WrittenCall,
  { isReal, refusesCalls, schemaOf }: ToolFacts,
): ShownCall | undefined {
  const stamp = ownProperty(providerMetadata, 'toolfold');
  const given = ownProperty(stamp, 'e');
  const answer = typeof given === 'string' ? given : undefined;
  const input = inputOf(text);
  const isRefused = refusesCalls() || answer !== undefined;
  if (!isRefused && !isReal(toolName)) return;
  const name = isReal(toolName) ? toolName : targetOf(stamp, toolName);
  const raw = isRefused || typeof input === 'string' ? unreadIn(stamp, input) : undefined;
  const wireName = ownProperty(stamp, 'n');
  const schema = schemaOf?.(name);
  const repairs = listIn(stamp, 'p').filter((text) => typeof text === 'string');
  const event: CallEvent = {
    type: 'call',
    id,
    name,
    arguments: input,
    ...(schema === undefined ? {} : { schema }),
    ...(typeof wireName === 'string' && wireName !== name ? { wireName } : {}),
    ...(raw === undefined ? {} : { raw }),
    ...(repairs.length > 0 ? { repairs } : {}),
  };
  return { event, answer };
}

/** What the SDK makes of arguments that are no JSON object. */
function inputOf(text: string): unknown {
  return text.trim() === '' ? {} : (parsedJson(text) ?? text);
}

/** What the model wrote, if that is not JSON. */
function unreadIn(stamp: unknown, input: unknown): string | undefined {
  const raw = ownProperty(stamp, 'r') ?? input;
  return typeof raw === 'string' ? brokenText(readRaw(raw)) : undefined;
}

/** The target tool of a call that reached no tool: the name in its envelope, else the name it used. */
function targetOf(stamp: unknown, name: string): string {
  const raw = ownProperty(stamp, 'r');
  const wire = ownProperty(stamp, 'n');
  const envelope = typeof raw === 'string' ? parsedJson(raw) : undefined;
  const target = ownProperty(envelope, 'tool_name') ?? ownProperty(envelope, 'name');
  return typeof target === 'string' ? target : typeof wire === 'string' ? wire : name;
}
