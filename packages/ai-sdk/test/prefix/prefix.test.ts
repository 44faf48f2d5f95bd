import { DISPATCH } from '../scenarios.test-support.ts';
import { testPrefix } from './prefix.test-support.ts';

testPrefix('promise 1: dispatch keeps the prefix', DISPATCH);
