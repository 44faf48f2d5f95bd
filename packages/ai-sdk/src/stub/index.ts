export { stubTokens, withStub } from './stub.ts';
