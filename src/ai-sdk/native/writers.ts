import type { NativeForm } from '../../models/table/index.ts';
import { anthropicInline, anthropicReference, anthropicSearch } from './anthropic.ts';
import { openaiAdditional, openaiSearch } from './openai.ts';
import { systemTools } from './system-tools.ts';
import type { NativeWriter } from './writer.ts';

/** Every form of `native`. To add one: a writer, a line here, rows in `models/capabilities.ts`. */
export const WRITERS: Readonly<Record<NativeForm, NativeWriter>> = {
  'anthropic-inline': anthropicInline,
  'anthropic-reference': anthropicReference,
  'anthropic-search': anthropicSearch,
  'openai-additional': openaiAdditional,
  'openai-search': openaiSearch,
  'system-tools': systemTools,
};

/** The form a request was presented in, by the id its epoch carries. */
export function writerOf(id: string | undefined): NativeWriter | undefined {
  return Object.values(WRITERS).find((writer) => writer.append.id === id);
}
