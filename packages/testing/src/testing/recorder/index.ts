export { type RecordedCall, type RecordFetchOptions, recordFetch } from './record-fetch.ts';
