// test: slow, first
import { testNativePrefix } from './prefix.test-support.ts';

testNativePrefix('promise 1: native keeps the prefix');
