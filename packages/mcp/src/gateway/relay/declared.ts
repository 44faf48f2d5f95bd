import {
  isRecord,
  type JsonObject,
  ownProperties,
  ownProperty,
} from '@toolfold/core/internal/tools/values';
import { METHOD_NOT_FOUND, MISSING_CAPABILITY, type Question, RpcError } from '../front/index.ts';

/** What a question asks of a client: a capability, and the part of it that some questions need. */
interface Need {
  readonly capability: string;
  readonly part?: string;
}

type Asked = Pick<Question, 'method' | 'params'>;

function needOf({ method, params }: Asked): Need | undefined {
  switch (method) {
    case 'elicitation/create':
      return ownProperty(params, 'mode') === 'url'
        ? { capability: 'elicitation', part: 'url' }
        : { capability: 'elicitation', part: 'form' };
    case 'sampling/createMessage':
      return ownProperty(params, 'tools') === undefined
        ? { capability: 'sampling' }
        : { capability: 'sampling', part: 'tools' };
    case 'roots/list':
      return { capability: 'roots' };
    default:
      return;
  }
}

/** Whether a client with these capabilities can be asked a question. A question of an unknown kind is not declared. */
export function isDeclared(question: Asked, capabilities: JsonObject): boolean {
  const need = needOf(question);
  const given = need && ownProperty(capabilities, need.capability);
  if (need === undefined || !isRecord(given)) return false;
  // Forms are what an elicitation without a mode means.
  const isForm = need.part === 'form' && Object.keys(given).length === 0;
  return (
    isForm || need.part === undefined || isRecord(given[need.part]) || given[need.part] === true
  );
}

/** Throws if a server asks, in a message of its own, what its client has not declared. */
export function checkDeclared(question: Asked, capabilities: JsonObject): void {
  if (isDeclared(question, capabilities)) return;
  throw new RpcError(METHOD_NOT_FOUND, `The client does not support ${nameOf(question)}.`);
}

/**
 * Throws if a result asks what the client has not declared. Since 2026-07-28 a server gets no errors as answers, and
 * must itself refuse such a call with this error.
 */
export function checkRequests(
  { resultType, inputRequests }: JsonObject,
  capabilities: JsonObject,
): void {
  if (resultType !== 'input_required') return;
  for (const request of Object.values(ownProperties(inputRequests))) {
    const { method, params } = ownProperties(request);
    const asked = { method: String(method), params: params as JsonObject | undefined };
    if (isDeclared(asked, capabilities)) continue;
    const need = needOf(asked);
    const required: JsonObject = need
      ? { [need.capability]: need.part === undefined ? {} : { [need.part]: {} } }
      : {};
    throw new RpcError(
      MISSING_CAPABILITY,
      `The server asks for ${nameOf(asked)}, which the client does not support.`,
      {
        requiredCapabilities: required,
      },
    );
  }
}

function nameOf({ method }: Asked): string {
  return JSON.stringify(method.slice(0, 80));
}
