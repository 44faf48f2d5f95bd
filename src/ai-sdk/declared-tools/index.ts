export {
  asWireTool,
  fixInputStreaming,
  streamsInput,
  toWireTools,
  type WireTool,
} from './declared-tools.ts';
