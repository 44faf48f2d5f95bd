import { testPrefix } from './prefix.test-support.ts';
import { BRIDGE } from './scenarios.test-support.ts';

testPrefix('promise 1: bridge keeps the prefix', BRIDGE);
