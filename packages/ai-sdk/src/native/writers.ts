import type { NativeForm } from '@toolfold/core/internal/models/table';
import { anthropicInline, anthropicReference, anthropicSearch } from './anthropic.ts';
import { openaiAdditional, openaiSearch } from './openai.ts';
import { systemTools } from './system-tools.ts';
import type { NativeWriter } from './writer.ts';

/** Every form of `native`. To add a form, write a writer, a line here, and rows in `models/table/capabilities.ts`. */
export const WRITERS: Readonly<Record<NativeForm, NativeWriter>> = {
  'anthropic-inline': anthropicInline,
  'anthropic-reference': anthropicReference,
  'anthropic-search': anthropicSearch,
  'openai-additional': openaiAdditional,
  'openai-search': openaiSearch,
  'system-tools': systemTools,
};

/** The writer for the form of an epoch, by the id of the form. */
export function writerOf(id: string | undefined): NativeWriter | undefined {
  return Object.values(WRITERS).find((writer) => writer.append.id === id);
}
