export { charactersOf, tokensWithin } from './json-size.ts';
export { countRequest, definitionTokens, type TokenLedger } from './ledger.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export { estimateTokens } from './tokens.ts';
