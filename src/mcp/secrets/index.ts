export { entrySecrets, type Named, splitSecret } from './entry-secrets.ts';
export { PieceRedactor, redact, redactValue, secretTexts } from './redact.ts';
export { isPlainWord, isSecretName, isSecretValue } from './secret-names.ts';
