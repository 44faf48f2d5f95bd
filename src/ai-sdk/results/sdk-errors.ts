type Output = { readonly type: string; readonly value?: unknown };

/** Whether a result is the SDK's error for a name that its tool set lacks; it lists every tool there is. */
export function isUnknownToSdk(output: Output, toolName: string): boolean {
  return sdkError(output).startsWith(`Model tried to call unavailable tool '${toolName}'.`);
}

/** Whether a result is the SDK's error for a call that it did not run, whose input it may have lost. */
export function isNotRunBySdk(output: Output): boolean {
  return NOT_RUN.test(sdkError(output));
}

/** Its input is invalid, repairing it failed, or there is no such tool. */
const NOT_RUN =
  /^(Invalid input for tool|Error repairing tool call|Model tried to call unavailable tool)/;

/** The text of an error, without the name of its class. */
function sdkError({ type, value }: Output): string {
  return type === 'error-text' ? String(value).replace(/^\w+: /, '') : '';
}
