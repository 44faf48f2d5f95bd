export {
  asWireTool,
  checkWireTools,
  fixInputStreaming,
  streamsInput,
  toWireTools,
  type WireTool,
} from './declared-tools.ts';
