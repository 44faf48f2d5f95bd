/** The notifications that a client handles. */
const HANDLED: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/message',
  'notifications/progress',
  'notifications/subscriptions/acknowledged',
  'notifications/tools/list_changed',
]);

/** Whether a message is a notification that nobody handles. Such messages are dropped before the SDK reads them. */
export function isUnhandled(message: object): boolean {
  return 'method' in message && !('id' in message) && !HANDLED.has(String(message.method));
}
