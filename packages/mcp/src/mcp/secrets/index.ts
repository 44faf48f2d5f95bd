export { entrySecrets, type Named, splitSecret } from './entry-secrets.ts';
export {
  hideSecrets,
  MIN_KEY,
  PieceRedactor,
  redact,
  redactValue,
  secretTexts,
} from './redact.ts';
export { isPlainWord, isSecretName, isSecretValue } from './secret-names.ts';
