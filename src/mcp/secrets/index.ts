export { entrySecrets, type Named, splitSecret } from './entry-secrets.ts';
export { PieceRedactor } from './piece-redactor.ts';
export { redact, redactValue, secretTexts } from './redact.ts';
export { isPlainWord, isSecretName, isSecretValue } from './secret-names.ts';
