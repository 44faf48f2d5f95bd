import { type AnswerCall, type ModelAnswer, parsedArguments } from '../format/index.ts';
import { recordsOf } from '../request/index.ts';
import { declaredSearch, loadedTools, namespacesOf } from './responses-tools.ts';

/** An item of a response's `output`. */
export interface OutputItem {
  readonly type: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

/**
 * A scripted call as an output item. A call of `tool_search` becomes a search if the client runs tool
 * search itself. A custom tool gets its input as text. A function in a namespace gets the namespace.
 */
export function callItem(answer: ModelAnswer, call: AnswerCall): OutputItem {
  const status = 'completed';
  if (call.name === 'tool_search' && declaredSearch(answer.body)?.execution === 'client') {
    const id = answer.newId('tsc');
    const call_id = call.id ?? answer.newId('call');
    answer.issue(id, call_id);
    const execution = 'client';
    const type = 'tool_search_call';
    return { type, id, call_id, execution, arguments: parsedArguments(call.text), status };
  }
  if (
    recordsOf(answer.body.tools).some((tool) => tool.type === 'custom' && tool.name === call.name)
  ) {
    const [id, call_id] = [answer.newId('ctc'), call.id ?? answer.newId('call')];
    return { type: 'custom_tool_call', id, call_id, name: call.name, input: call.text, status };
  }
  const known = [
    ...recordsOf(answer.body.tools),
    ...recordsOf(answer.body.input).flatMap((item) => loadedTools(item)),
  ];
  const namespace = namespacesOf(call.name, known).at(-1);
  return {
    type: 'function_call',
    id: answer.newId('fc'),
    call_id: call.id ?? answer.newId('call'),
    name: call.name,
    ...(namespace !== undefined && { namespace }),
    arguments: call.text,
    status,
  };
}
