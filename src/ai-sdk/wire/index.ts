export {
  asWireTool,
  fixInputStreaming,
  streamsInput,
  toWireTools,
  type WireTool,
} from './tools.ts';
