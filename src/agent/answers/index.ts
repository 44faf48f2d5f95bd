export { AnswerRecorder } from './answer-recorder.ts';
export { recordedModel } from './recorded-model.ts';
