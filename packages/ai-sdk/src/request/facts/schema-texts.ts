/** The beginning of a text that shows preloaded schemas. */
export const PRELOADED = '[Data from the application, not from the user: tools that may help here.';

/** The beginning of a text that asks for a call, and what stands before a definition in it. */
export const CALL_NOW = '[Notice from the application, not from the user: call ';
export const DEFINITION = ' Its definition: ';

/** Whether a text that Toolfold has put between the messages shows schemas. */
export function showsSchemas(text: string): boolean {
  return text.startsWith(PRELOADED) || (text.startsWith(CALL_NOW) && text.includes(DEFINITION));
}
