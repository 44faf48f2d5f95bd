export { HiddenTexts } from './hidden-texts.ts';
export { isSevere } from './lines.ts';
export { RunNotes } from './notes.ts';
export { eventsOfSession, openAnswer } from './rebuilt-events.ts';
export { followTurn, turnCode } from './turn.ts';
export { jsonWriter, textWriter } from './writer.ts';
