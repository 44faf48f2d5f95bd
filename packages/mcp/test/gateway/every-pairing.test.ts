// test: slow, first
import { testPairing } from './fidelity.test-support.ts';

const eras = ['legacy', 'modern'] as const;
const ways = ['stdio', 'http'] as const;
const modes = ['bridge', 'dispatch', 'eager', 'passthrough'] as const;

for (const clientEra of eras)
  for (const serverEra of eras)
    for (const mode of modes)
      for (const front of ways)
        for (const back of ways)
          testPairing('promise 70: as a direct connection', {
            clientEra,
            serverEra,
            mode,
            front,
            back,
          });
