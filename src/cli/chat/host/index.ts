export { ChatHost, type Choice, type HostOptions } from './host.ts';
