import { KNOWN_SERVERS } from '../roles/index.ts';

/** Common names of an app's own tools that send something to the user. */
const TO_THE_USER = names(
  'ask_user* ask_human* ask_followup* ask_question* request_user_input* request_input* prompt_user* ' +
    'message_user* notify_user* send_message_to_user* send_to_user* reply* send_reply*',
);

/** Common names of an app's own tools for memory across conversations. */
const MEMORY = names(
  'memory* memories* remember* recall* save_memor* add_memor* store_memor* create_memor* update_memor* ' +
    'delete_memor* search_memor* read_memor* list_memor* get_memor* manage_memor*',
);

/**
 * Globs of tools that children do not get by default: memory tools, and tools that send something to
 * the user. A bare name never matches a tool of a group, so of servers only memory servers are listed.
 */
export const WITHHELD: readonly string[] = [...KNOWN_SERVERS.memory, ...MEMORY, ...TO_THE_USER];

/** Each name in four spellings: `ask_user`, `ask-user`, `askUser` and `AskUser`. */
function names(list: string): string[] {
  const spellings = list.split(' ').flatMap((name) => {
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const pascal = camel.replace(/^\w/, (letter) => letter.toUpperCase());
    return [name, name.replaceAll('_', '-'), camel, pascal];
  });
  return [...new Set(spellings)];
}
