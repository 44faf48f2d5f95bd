import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { JsonObject, JsonValue } from '@toolfold/core/internal/tools/values';
import { AnsweredError } from '../../mcp/transport/index.ts';

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
export const HEADER_MISMATCH = -32_020;
/** A client lacks a capability that a call needs, since 2026-07-28. */
export const MISSING_CAPABILITY = -32_021;
export const UNSUPPORTED_VERSION = -32_022;
/** A resource that does not exist, until 2025-11-25. */
const OLD_NOT_FOUND = -32_002;

/** An error with which the gateway itself answers a request. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The `error` of an answer. What a server answered stays as it is. */
export function errorFor(era: 'legacy' | 'modern', error: unknown): JsonObject {
  if (error instanceof AnsweredError) {
    const isOld = era === 'modern' && error.code === OLD_NOT_FOUND;
    return isOld ? { ...error.error, code: INVALID_PARAMS } : error.error;
  }
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  return { code: INTERNAL_ERROR, message: errorMessage(error) };
}
