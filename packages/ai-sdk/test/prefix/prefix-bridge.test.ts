import { BRIDGE } from '../scenarios.test-support.ts';
import { testPrefix } from './prefix.test-support.ts';

testPrefix('promise 1: bridge keeps the prefix', BRIDGE);
