export { fileTokens } from './file-tokens.ts';
export { charactersOf, tokensWithin } from './json-size.ts';
export { countRequest, definitionTokens, type TokenLedger } from './ledger.ts';
export { DEFAULT_LIMITS, type Limits, MIN_RESULT_LENGTH, RESULT_LENGTH } from './limits.ts';
export { estimateTokens } from './tokens.ts';
