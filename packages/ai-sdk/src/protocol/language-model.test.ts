import { test } from 'node:test';
import type * as provider from '@ai-sdk/provider';
import type * as own from './language-model.ts';

type IsAny<T> = 0 extends 1 & T ? true : false;
type Same<A, B> = IsAny<A> extends IsAny<B> ? ([A, B] extends [B, A] ? [] : ['differs']) : ['any'];

/** Takes no argument if each type is assignable to the other, so the compiler checks it. */
function same<A, B>(..._difference: Same<A, B>): void {}

test('the derived types are those of the package that defines them', () => {
  same<own.JSONObject, provider.JSONObject>();
  same<own.LanguageModelV4, provider.LanguageModelV4>();
  same<own.LanguageModelV4CallOptions, provider.LanguageModelV4CallOptions>();
  same<own.LanguageModelV4Content, provider.LanguageModelV4Content>();
  same<own.LanguageModelV4CustomContent, provider.LanguageModelV4CustomContent>();
  same<own.LanguageModelV4FunctionTool, provider.LanguageModelV4FunctionTool>();
  same<own.LanguageModelV4GenerateResult, provider.LanguageModelV4GenerateResult>();
  same<own.LanguageModelV4Message, provider.LanguageModelV4Message>();
  same<own.LanguageModelV4Prompt, provider.LanguageModelV4Prompt>();
  same<own.LanguageModelV4ProviderTool, provider.LanguageModelV4ProviderTool>();
  same<own.LanguageModelV4StreamPart, provider.LanguageModelV4StreamPart>();
  same<own.LanguageModelV4ToolCall, provider.LanguageModelV4ToolCall>();
  same<own.LanguageModelV4ToolCallPart, provider.LanguageModelV4ToolCallPart>();
  same<own.LanguageModelV4ToolResultOutput, provider.LanguageModelV4ToolResultOutput>();
  same<own.LanguageModelV4ToolResultPart, provider.LanguageModelV4ToolResultPart>();
  same<own.SharedV4FileData, provider.SharedV4FileData>();
  same<own.SharedV4ProviderOptions, provider.SharedV4ProviderOptions>();
});
