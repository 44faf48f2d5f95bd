import { WAYS } from './rounds.test-support.ts';
import { testSameBytes } from './same-bytes.test-support.ts';

testSameBytes(
  'promise 62: the same bytes as steps',
  WAYS.filter(({ strategy }) => strategy !== 'native'),
);
