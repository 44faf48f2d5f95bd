/** The subjects of tools that roles and keyword routing distinguish. */
export type Subject =
  | 'web'
  | 'documentation'
  | 'papers'
  | 'files'
  | 'shell'
  | 'git'
  | 'code-hosting'
  | 'code-quality'
  | 'database'
  | 'tasks'
  | 'calendar'
  | 'reminders'
  | 'notes'
  | 'mail'
  | 'chat'
  | 'memory'
  | 'thinking'
  | 'documents'
  | 'charts'
  | 'browser'
  | 'containers'
  | 'cloud'
  | 'monitoring'
  | 'design'
  | 'media'
  | 'maps'
  | 'weather'
  | 'time'
  | 'travel'
  | 'finance'
  | 'payments'
  | 'shop'
  | 'crm'
  | 'home'
  | 'notifications';

/**
 * Groups of well-known servers by subject, as role globs. Every pattern starts with the name of the
 * server, which the user chooses. The server chooses the names of its tools, and must not gain rights
 * by them. A star follows a name that starts no other word. A short word that also starts other words
 * (`exa`, `example`) needs a separator after it.
 */
export const KNOWN_SERVERS: Readonly<Record<Subject, readonly string[]>> = {
  web: servers(
    'brave* tavily* exa exa-* perplexity* firecrawl* duckduckgo* ddg* searxng* serper* serpapi* kagi* ' +
      'jina jina-* bing bing-* google-search* fetch* wikipedia* hackernews* websearch* web-search*',
  ),
  documentation: servers('context7* deepwiki* microsoft-learn* docs docs-*'),
  papers: servers('arxiv* pubmed* biomcp* semantic-scholar* zotero*'),
  files: servers('filesystem* fs files desktop-commander* text-editor*'),
  shell: servers('desktop-commander* shell* terminal* bash* iterm* cli-mcp-server* ssh*'),
  git: servers('git git-* git_*'),
  'code-hosting': servers('github* gitlab* gitea* bitbucket* azure-devops*'),
  'code-quality': servers(
    'eslint* sonarqube* semgrep* biome* typescript* language-server* serena*',
  ),
  database: servers(
    'postgres* mysql* mariadb* sqlite* mongodb* mongo redis* dbhub* supabase* duckdb* bigquery* ' +
      'snowflake* clickhouse* neo4j* elasticsearch* dynamodb* database*',
  ),
  tasks: servers('jira* atlassian* linear* asana* trello* todoist* clickup* monday* taskmanager*'),
  calendar: servers('google-calendar* calendar* caldav* cal-com* calendly*'),
  reminders: servers('apple-reminders* reminders* cron* scheduler*'),
  notes: servers(
    'notion* obsidian* evernote* logseq* apple-notes* bear* confluence* basic-memory*',
  ),
  mail: servers('gmail* outlook* mail mail-* mailbox* email* imap* sendgrid* resend* mailgun*'),
  chat: servers('slack* discord* telegram* whatsapp* teams* mattermost* twilio* signal signal-*'),
  memory: servers('memory* mem0* zep zep-* basic-memory* knowledge-graph*'),
  thinking: servers('sequential-thinking* sequentialthinking* thinking*'),
  documents: servers(
    'pdf* word* excel* ppt* powerpoint* office-* google-drive* gdrive* google-docs* ' +
      'google-sheets* markitdown* pandoc* dropbox* box',
  ),
  charts: servers('antv* chart* mcp-server-chart* mermaid* mindmap* plantuml* excalidraw*'),
  browser: servers(
    'playwright* puppeteer* chrome-devtools* browser* browserbase* selenium* stagehand*',
  ),
  containers: servers('kubernetes* kubectl* k8s* docker* podman* helm* openshift*'),
  cloud: servers(
    'azure* aws* gcp* google-cloud* gcloud* firebase* cloudflare* vercel* netlify* heroku* ' +
      'terraform* pulumi* digitalocean* railway*',
  ),
  monitoring: servers(
    'grafana* prometheus* datadog* sentry* pagerduty* newrelic* splunk* honeycomb*',
  ),
  design: servers('figma* canva* sketch* penpot* shadcn* magicui* framer*'),
  media: servers('youtube* spotify* elevenlabs* replicate* everart* music* ffmpeg* imagegen*'),
  maps: servers('google-maps* maps* osm* openstreetmap* mapbox* amap* baidu-map*'),
  weather: servers('weather* openweather* accuweather* open-meteo*'),
  time: servers('time time-*'),
  travel: servers('airbnb* booking* kiwi* amadeus* expedia* tripadvisor* 12306*'),
  finance: servers(
    'yahoo-finance* yfmcp* alphavantage* polygon* coingecko* exchange-rate* finance*',
  ),
  payments: servers('stripe* paypal* square* adyen* plaid* xero* quickbooks*'),
  shop: servers('shopify* woocommerce* magento* amazon* ebay* etsy*'),
  crm: servers('salesforce* hubspot* pipedrive* zoho* zendesk* intercom* attio*'),
  home: servers('home-assistant* homeassistant* hass* hue* smartthings* homebridge*'),
  notifications: servers('pushover* ntfy* pushbullet* notify* notification*'),
};

/** Servers for office suites. Their tools belong to many subjects. */
export const OFFICE_SERVERS: readonly string[] = servers(
  'ms-365* microsoft-365* office* google-workspace*',
);

function servers(names: string): readonly string[] {
  return names.split(' ').map((name) => `mcp:${name}`);
}
