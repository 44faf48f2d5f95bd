import { type Pairing, testPairing } from './fidelity.test-support.ts';

/** Each mode, era and transport once or more. All of them together are in `every-pairing.test.ts`. */
const pairings: readonly Pairing[] = [
  { clientEra: 'legacy', serverEra: 'legacy', mode: 'bridge', front: 'stdio', back: 'stdio' },
  { clientEra: 'modern', serverEra: 'legacy', mode: 'eager', front: 'http', back: 'stdio' },
  { clientEra: 'legacy', serverEra: 'modern', mode: 'eager', front: 'http', back: 'http' },
  { clientEra: 'modern', serverEra: 'modern', mode: 'bridge', front: 'stdio', back: 'stdio' },
  { clientEra: 'legacy', serverEra: 'legacy', mode: 'passthrough', front: 'http', back: 'http' },
];

for (const pairing of pairings) testPairing('promise 70: as a direct connection', pairing);
