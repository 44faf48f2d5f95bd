/** What gpt-oss models write around the name of a tool: the namespace of their format, and marks of its channels. */
const NAMESPACE = /^functions\./;
const MARK = /<\|[a-z_]*\|>.*$/s;

/**
 * The name that a model wrote, without the marks of the Harmony format (https://github.com/openai/harmony). Endpoints
 * that read this format incompletely pass them on, as in `functions.list_issues<|channel|>commentary`.
 */
export function plainName(written: string): string {
  return written.replace(MARK, '').trim().replace(NAMESPACE, '');
}
