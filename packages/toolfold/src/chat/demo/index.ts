export { FILE, MESSAGE, scriptFor, startChatDemo, TEXT, taskFor } from './chat-demo.ts';
export { createWorkplace, type Workplace } from './workplace.ts';
