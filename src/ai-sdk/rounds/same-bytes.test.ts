import { WAYS } from './rounds.test-support.ts';
import { testSameBytes } from './same-bytes.test-support.ts';

// promise 62: every strategy that defers, on every endpoint.
testSameBytes(WAYS.filter(({ strategy }) => strategy !== 'native'));
