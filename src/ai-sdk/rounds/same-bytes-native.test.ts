import { WAYS } from './rounds.test-support.ts';
import { testSameBytes } from './same-bytes.test-support.ts';

// promise 62: every form of `native`.
testSameBytes(WAYS.filter(({ strategy }) => strategy === 'native'));
