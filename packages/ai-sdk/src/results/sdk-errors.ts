type Output = { readonly type: string; readonly value?: unknown };

/** Whether a result is the SDK's error for a name that its tool set does not have. This error lists all tools. */
export function isUnknownToSdk(output: Output, toolName: string): boolean {
  return sdkError(output).startsWith(`Model tried to call unavailable tool '${toolName}'.`);
}

/** Whether a result is the SDK's error for a call that it did not run. The SDK may have lost the input of the call. */
export function isNotRunBySdk(output: Output): boolean {
  return NOT_RUN.test(sdkError(output));
}

/** The SDK's errors for an invalid input, a failed repair and an unknown tool. */
const NOT_RUN =
  /^(Invalid input for tool|Error repairing tool call|Model tried to call unavailable tool)/;

/** The text of an error, without the name of its class. */
function sdkError({ type, value }: Output): string {
  return type === 'error-text' ? String(value).replace(/^\w+: /, '') : '';
}
