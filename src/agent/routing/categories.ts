import type { Category } from '../../config/index.ts';
import { KNOWN_SERVERS, type Subject } from '../roles/index.ts';
import { CATEGORY_WORDS } from './category-words.ts';

/** Tool name patterns that indicate a subject on unknown servers. */
const TOOL_NAMES: Readonly<Partial<Record<Subject, string>>> = {
  web: '*web_search* *search_web* web_fetch *fetch_url* *_news*',
  documentation: '*query-docs *search_docs* *documentation*',
  papers: '*paper*',
  files: 'read_file write_file edit_file *__*_file *__*_files *_directory *__*drive-item*',
  shell: 'shell bash *__*execute_command* *__*run_command* *__*shell* *__*terminal* *_process',
  git: 'git_* *__git_* *__*_branch *__*_commits *__list_branches',
  'code-hosting': '*__*_issue *__*_issues *__*pull_request* *__*merge_request* *__*_repository',
  'code-quality': '*__*lint* *__*diagnostics*',
  database: '*__*execute_sql* *__*_query *__query *__*list_tables* *__*list-collections*',
  tasks: '*__*task *__*tasks *__*todo* *__*planner* *__*_issue *__*_issues *__*ticket*',
  calendar: '*__*calendar* *__*_event *__*_events *__*createEvent* *__*meeting*',
  reminders: '*__*remind* *__*alarm* *__*timer* *__*cron* *__*schedule_task*',
  notes: '*__*note *__*notes *__*onenote* *__*notebook*',
  mail: '*__*email* *__*-mail* *__*_mail* *__*mail-*',
  chat: '*__*_message *__*channel* *__*chat-message* *__*send_message* *__*sms*',
  memory: '*__*memor* *__create_entities *__search_nodes *__read_graph',
  documents: '*__*pdf* *__*excel* *__*spreadsheet* *__*docx* *__*document *__*sharepoint*',
  charts: '*__*chart* *__*diagram* *__*mindmap* *__*graph_image*',
  browser: 'browser_* *__browser_* *__*screenshot* *__*navigate*',
  containers: '*__kubectl_* *__*container* *__*helm* *__*_pod*',
  cloud: '*__*deploy* *__*edge_function* *__*bucket*',
  monitoring: '*__*_logs *__*-logs *__*alert* *__*incident*',
  design: '*__*figma* *__*design*',
  media: '*__*transcript* *__*video* *__*generate_image* *__*playlist* *__*drawing*',
  maps: '*__maps_* *__*geocode* *__*directions* *__*_places*',
  weather: '*__*weather* *__*forecast*',
  time: '*__*current_time* *__*convert_time* *__*timestamp*',
  travel: '*__*flight* *__*hotel* *__*airbnb* *__*tickets',
  finance: '*__*stock* *__*exchange_rate* *__*crypto*',
  payments: '*__*invoice* *__*payment* *__*refund*',
  shop: '*__*product* *__*_order* *__*inventory*',
  crm: '*__*contact* *__*customer* *__*deal*',
  home: '*__*light* *__*thermostat* *__*climate* *__*call_service*',
  notifications: '*__*notif*',
};

/** The built-in categories: for each subject its words, its well-known servers and its name patterns. */
export const CATEGORIES: readonly Category[] = (Object.keys(CATEGORY_WORDS) as Subject[]).map(
  (name) => ({
    name,
    ...CATEGORY_WORDS[name],
    tools: [...KNOWN_SERVERS[name], ...(TOOL_NAMES[name]?.split(' ') ?? [])],
  }),
);
