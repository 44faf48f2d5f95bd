export { startChatDemo } from './chat-demo.ts';
export { FILE, MESSAGE, scriptFor, TEXT, taskFor } from './script.ts';
export { createWorkplace, type Workplace } from './workplace.ts';
