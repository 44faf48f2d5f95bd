import { numberLost, numberRounded } from '@toolfold/core/internal/tools/calls';
import { inexactNumber, parsedJson, roundedNumber } from '@toolfold/core/internal/tools/values';

/**
 * Providers of the AI SDK that pass on the arguments of a call as the model wrote them, by the end of their names: the
 * formats of OpenAI have them as text. Google's have them as JSON, and Ollama parses and writes them.
 */
const AS_TEXT = /^(?!.*(?:google|vertex|ollama)).*\.(?:chat|responses)$/;
/** Providers that do so only in a stream. A whole answer has them as JSON, which the provider parses. */
const AS_STREAMED_TEXT = /(?:^|\.)anthropic\.messages$|\.anthropic$|^amazon-bedrock$/;

/** Whether a provider passes on the text of arguments. Of others it is not known. */
export function givesText(provider: string, isStreamed: boolean): boolean {
  return AS_TEXT.test(provider) || (isStreamed && AS_STREAMED_TEXT.test(provider));
}

/**
 * Why a call does not run whose input has a number that may have been another one, because a program has parsed and
 * written it before. A text that no program writes so is the model's own.
 */
export function roundedIn(input: string): string | undefined {
  const rounded = roundedNumber(input);
  if (rounded === undefined || JSON.stringify(parsedJson(input)) !== input) return;
  return numberRounded(rounded);
}

/** Why a call does not run whose tool gets only numbers, if these cannot hold one in the input. */
export function inexactIn(input: string): string | undefined {
  const inexact = inexactNumber(input);
  return inexact === undefined ? undefined : numberLost(inexact);
}
