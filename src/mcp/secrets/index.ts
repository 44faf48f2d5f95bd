export { entrySecrets, type Named, splitSecret } from './entry-secrets.ts';
export { redact, redactValue, secretTexts, stripControls } from './redact.ts';
