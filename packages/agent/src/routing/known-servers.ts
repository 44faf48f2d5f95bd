/** Names of well-known servers, by the subject of their tools. */
const NAMES = {
  web: `
    brave* tavily* exa exa-* perplexity* firecrawl* duckduckgo* ddg* searxng* serper* serpapi*
    kagi* jina jina-* bing bing-* google-search* fetch* wikipedia* hackernews* websearch*
    web-search*`,
  documentation: 'context7* deepwiki* microsoft-learn* docs docs-*',
  papers: 'arxiv* pubmed* biomcp* semantic-scholar* zotero*',
  files: 'filesystem* fs files desktop-commander* text-editor*',
  shell: 'desktop-commander* shell* terminal* bash* iterm* cli-mcp-server* ssh*',
  git: 'git git-* git_*',
  'code-hosting': 'github* gitlab* gitea* bitbucket* azure-devops*',
  'code-quality': 'eslint* sonarqube* semgrep* biome* typescript* language-server* serena*',
  database: `
    postgres* mysql* mariadb* sqlite* mongodb* mongo redis* dbhub* supabase* duckdb* bigquery*
    snowflake* clickhouse* neo4j* elasticsearch* dynamodb* database*`,
  tasks: 'jira* atlassian* linear* asana* trello* todoist* clickup* monday* taskmanager*',
  calendar: 'google-calendar* calendar* caldav* cal-com* calendly*',
  reminders: 'apple-reminders* reminders* cron* scheduler*',
  notes: 'notion* obsidian* evernote* logseq* apple-notes* bear* confluence* basic-memory*',
  mail: 'gmail* outlook* mail mail-* mailbox* email* imap* sendgrid* resend* mailgun*',
  chat: 'slack* discord* telegram* whatsapp* teams* mattermost* twilio* signal signal-*',
  memory: 'memory* mem0* zep zep-* basic-memory* knowledge-graph*',
  thinking: 'sequential-thinking* sequentialthinking* thinking*',
  documents: `
    pdf* word* excel* ppt* powerpoint* office-* google-drive* gdrive* google-docs* google-sheets*
    markitdown* pandoc* dropbox* box`,
  charts: 'antv* chart* mcp-server-chart* mermaid* mindmap* plantuml* excalidraw*',
  browser: 'playwright* puppeteer* chrome-devtools* browser* browserbase* selenium* stagehand*',
  containers: 'kubernetes* kubectl* k8s* docker* podman* helm* openshift*',
  cloud: `
    azure* aws* gcp* google-cloud* gcloud* firebase* cloudflare* vercel* netlify* heroku*
    terraform* pulumi* digitalocean* railway*`,
  monitoring: 'grafana* prometheus* datadog* sentry* pagerduty* newrelic* splunk* honeycomb*',
  design: 'figma* canva* sketch* penpot* shadcn* magicui* framer*',
  media: 'youtube* spotify* elevenlabs* replicate* everart* music* ffmpeg* imagegen*',
  maps: 'google-maps* maps* osm* openstreetmap* mapbox* amap* baidu-map*',
  weather: 'weather* openweather* accuweather* open-meteo*',
  time: 'time time-*',
  travel: 'airbnb* booking* kiwi* amadeus* expedia* tripadvisor* 12306*',
  finance: 'yahoo-finance* yfmcp* alphavantage* polygon* coingecko* exchange-rate* finance*',
  payments: 'stripe* paypal* square* adyen* plaid* xero* quickbooks*',
  shop: 'shopify* woocommerce* magento* amazon* ebay* etsy*',
  crm: 'salesforce* hubspot* pipedrive* zoho* zendesk* intercom* attio*',
  home: 'home-assistant* homeassistant* hass* hue* smartthings* homebridge*',
  notifications: 'pushover* ntfy* pushbullet* notify* notification*',
};

/** The subjects of tools that roles and keyword routing distinguish. */
export type Subject = keyof typeof NAMES;

/**
 * Groups of well-known servers by subject, as role globs. Every pattern starts with the name of the
 * server, which the user chooses. The server chooses the names of its tools, and must not gain rights
 * by them. A star follows a name that starts no other word. A short word that also starts other words
 * (`exa`, `example`) needs a separator after it.
 */
export const KNOWN_SERVERS: Readonly<Record<Subject, readonly string[]>> = Object.fromEntries(
  Object.entries(NAMES).map(([subject, names]) => [subject, servers(names)]),
) as Record<Subject, readonly string[]>;

/** Servers for office suites. Their tools belong to many subjects. */
export const OFFICE_SERVERS: readonly string[] = servers(
  'ms-365* microsoft-365* office* google-workspace*',
);

function servers(names: string): readonly string[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `mcp:${name}`);
}
