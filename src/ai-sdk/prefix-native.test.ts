import { dialectOf, NATIVE_ENDPOINTS } from './endpoints.test-support.ts';
import { testPrefix } from './prefix.test-support.ts';

for (const endpoint of NATIVE_ENDPOINTS) {
  testPrefix('promise 1: native keeps the prefix', dialectOf(endpoint.form), [endpoint]);
}
