import type { Category, CategorySetting } from '../../config/index.ts';
import { KNOWN_SERVERS, type Subject } from '../roles/index.ts';

/** What indicates a subject: words of a turn, and patterns of tool names on unknown servers. */
type Signs = Pick<CategorySetting, 'words' | 'not'> & { readonly tools?: string };

/**
 * Signs per subject. A word may be in several subjects on purpose (`remember`, `temperature`). A word
 * that usually means something else appears only in phrases.
 */
const SUBJECTS: Readonly<Record<Subject, Signs>> = {
  web: {
    words: phrases(`
      web, website, webpage, internet, online, google, duckduckgo, bing, wikipedia, search,
      searching, searched, look up, look it up, research, news, headline, article, fetch, scrape,
      crawl, http, https, www, url, *.com, *.org, *.net, *.io, *.dev, *.info, hacker news,
      webseite, nachrichten, suche nach, suchen, such im, nachschlagen, recherchiere, recherche,
      cherche, chercher, rechercher, site web, actualité, actualités, busca, buscar, búsqueda,
      página web, noticia, en línea, 検索, 調べて, ウェブ, ニュース, 搜索, 搜尋, 查一下, 网页, 網頁,
      网站, 網站, 新闻, 新聞, 网上, 검색, 뉴스, 웹사이트, найди, поиск, поищи, погугли, новости,
      новостей, интернет, интернете, сайт, сайте`),
    not: phrases(`binary search, linear search, search tree, search algorithm, depth first search,
      breadth first search, job search, soul searching, git fetch, fetch origin`),
    tools: '*web_search* *search_web* web_fetch *fetch_url* *_news*',
  },
  documentation: {
    words: phrases(`
      documentation, docs, api reference, api doc, library doc, official doc, user manual, context7,
      deepwiki, dokumentation, documentación, ドキュメント, 文档, 官方文档, 문서, документация,
      документацию, документации`),
    tools: '*query-docs *search_docs* *documentation*',
  },
  papers: {
    words: phrases(`
      arxiv, pubmed, research paper, scientific paper, latest paper, literature review, citation,
      clinical trial, doi, preprint, zotero, fachartikel, article scientifique, artículo científico,
      論文, 论文, 论文集, 논문, научная статья, научные статьи`),
    tools: '*paper*',
  },
  files: {
    words: phrases(`
      file, filename, filesystem, file system, folder, subfolder, directory, readme, rename,
      save it to, save it as, save this as, save to disk, */*, *.txt, *.md, *.json, *.yaml, *.yml,
      *.toml, *.xml, *.html, *.css, *.csv, *.log, *.ts, *.tsx, *.js, *.jsx, *.py, *.rb, *.go,
      *.java, *.c, *.h, *.cpp, *.cs, *.php, *.sh, *.sql, *.env, *.zip, *.tar, *.gz, *.pdf, *.docx,
      *.xlsx, *.pptx, *.png, *.jpg, datei, dateien, ordner, verzeichnis, fichier, dossier,
      répertoire, archivo, fichero, carpeta, directorio, ファイル, フォルダ, ディレクトリ, 文件, 目录, 檔案, 資料夾, 파일,
      폴더, файл, файла, файле, файлы, файлов, папка, папке, папку, каталог`),
    not: phrases(`
      file a, file an, file for, file my taxes, file taxes, single file, rank and file, node.js,
      vue.js, next.js, react.js, three.js, d3.js, express.js, プロファイル, 프로파일`),
    tools: 'read_file write_file edit_file *__*_file *__*_files *_directory *__*drive-item*',
  },
  shell: {
    words: phrases(`
      shell, terminal, bash, zsh, powershell, command line, sudo, ssh, npm, npx, pnpm, pip,
      make install, run the command, run this command, run a command, run command, run the script,
      run this script, run the test, run all test, run my test, run test, run the build, run npm,
      shell script, execute the command, execute this, kill the process, running process,
      running processes, disk space, cpu usage, memory usage, environment variable, befehl,
      ausführen, kommandozeile, ligne de commande, exécute, exécuter, lance les tests,
      lance la commande, línea de comandos, ejecuta, ejecutar, コマンド, ターミナル, 実行して, テストを実行, 终端, 命令,
      运行, 执行, 終端機, 執行, 명령어, 터미널, 실행, терминал, терминале, выполни команду, запусти, запустить,
      führe aus, führe die tests, führe das skript`),
    not: phrases(`
      in a nutshell, shell company, terminal illness, terminal velocity, airport terminal,
      sea shell, egg shell`),
    tools: 'shell bash *__*execute_command* *__*run_command* *__*shell* *__*terminal* *_process',
  },
  git: {
    words: phrases(`
      git, commit, committed, committing, uncommitted, commit to main, commit to master,
      commit to git, commit to the branch, commit to the repo, branch, rebase, cherry pick, stash,
      push to origin, commit and push, pull the latest, diff, repo, repository, merge branch,
      merge the branch, merge main, merge master, merge into main, merge into master,
      merge conflict, changelog, worktree, working tree, reflog, unstaged, git blame, git tag,
      committe, committen, einchecken, repositorium, dépôt git, commite, repositorio, haz commit,
      コミット, ブランチ, リポジトリ, 提交代码, 提交更改, 提交这些, 分支, 仓库, 提交代碼, 커밋, 브랜치, 저장소, коммит, коммита, закоммить,
      закоммитить, ветка, ветку, ветке, репозиторий, репозитория, репозитории, git push,
      force push, push to main, push my changes, push the changes, push the commit, la rama,
      una rama, la branche, une branche`),
    not: phrases(`
      commit to, commits to, committed to, committing to, commit myself, commit crime,
      commit crimes, commit a crime, commit suicide, branch of, branches of, branch office,
      branch manager, bank branch, olive branch, tree branch, local bank branch,
      commit this to memory, commit it to memory`),
    tools: 'git_* *__git_* *__*_branch *__*_commits *__list_branches',
  },
  'code-hosting': {
    words: phrases(`
      github, gitlab, bitbucket, gitea, pull request, merge request, pr, issue, open an issue,
      create an issue, file an issue, close an issue, report an issue, find an issue,
      fork the repo, fork this, code review, ci pipeline, ci job, ci run, ci cd, github action,
      workflow run, milestone, release notes, repo, repository, merge the pr, repositorio, プルリクエスト,
      プルリク, イシュー, 拉取请求, 合并请求, 议题, 풀 리퀘스트, 이슈, пулреквест, пул реквест, ишью`),
    not: phrases(`
      issue a, issue an, issue the, issue of, issue with, issues with, an issue, at issue,
      take issue, no issue, health issue, health issues, skin issue, trust issues, pr agency,
      pr team, pr campaign, pr firm, the issue here, what is the issue, what's the issue`),
    tools: '*__*_issue *__*_issues *__*pull_request* *__*merge_request* *__*_repository',
  },
  'code-quality': {
    words: phrases(`
      lint, linter, linting, eslint, typecheck, type check, type error, static analysis, sonarqube,
      syntax check, syntax error, check the syntax, code smell, dead code, 静的解析, 静态分析, 代码检查,
      biome check, run prettier, リンター`),
    tools: '*__*lint* *__*diagnostics*',
  },
  database: {
    words: phrases(`
      database, db, sql, postgres, postgresql, mysql, mariadb, sqlite, mongodb, mongo, redis,
      supabase, bigquery, snowflake, clickhouse, duckdb, dynamodb, elasticsearch, neo4j, run a query,
      run the query, database schema, table schema, primary key, select from, insert into,
      datenbank, datenbanken, base de données, bases de données, base de datos, bases de datos,
      データベース, 数据库, 資料庫, 데이터베이스, база данных, базу данных, базе данных, базы данных`),
    not: phrases('snowflake pattern, paper snowflake'),
    tools: '*__*execute_sql* *__*_query *__query *__*list_tables* *__*list-collections*',
  },
  tasks: {
    words: phrases(`
      task, to do list, to dos, checklist, jira, asana, trello, todoist, clickup, in linear,
      linear issue, linear ticket, ticket, backlog, sprint, kanban, action item, user story,
      story point, aufgabe, aufgaben, tâche, tarea, タスク, やること, 任务, 任務, 待办, 待辦, 할 일, задача, задачу,
      задачи, задач, todo list, todo item, my todo, add a todo, add todo, new todo, tasks`),
    not: phrases(`
      train ticket, train tickets, plane ticket, plane tickets, flight ticket, bus ticket,
      concert ticket, concert tickets, movie ticket, movie tickets, parking ticket, lottery ticket,
      ticket price, multi task, sprint to, sprint race`),
    tools: '*__*task *__*tasks *__*todo* *__*planner* *__*_issue *__*_issues *__*ticket*',
  },
  calendar: {
    words: phrases(`
      calendar, meeting, appointment, event, schedule, scheduled, reschedule, invite, agenda,
      free slot, my availability, day off, kalender, termin, termine, besprechung, verabredung,
      calendrier, rendez vous, réunion, calendario, reunión, reuniones, cita, カレンダー, 予定, 会議, 打ち合わせ,
      日历, 日曆, 行事曆, 会议, 會議, 日程, 캘린더, 일정, 회의, календарь, календаре, встреча, встречу, встречи,
      собрание`),
    not: phrases(`
      in the event of, in the event that, event listener, event listeners, event handler,
      event handlers, event loop, event driven, current event, current events, cron schedule,
      historical event, historical events, events of, sporting event, sporting events`),
    tools: '*__*calendar* *__*_event *__*_events *__*createEvent* *__*meeting*',
  },
  reminders: {
    words: phrases(`
      remind, reminder, remember, alarm, timer, wake me, cron, cron job, don't forget,
      do not forget, don't let me forget, erinnere, erinner, erinnerung, wecker, rappelle,
      recuérdame, recordatorio, recuerda, リマインド, リマインダー, 思い出させて, 提醒, 闹钟, 알림, 상기시켜, напомни,
      напоминание, будильник, recurring reminder, remind me every, un rappel, mes rappels,
      rappel pour`),
    not: phrases(`
      false alarm, remember when`),
    tools: '*__*remind* *__*alarm* *__*timer* *__*cron* *__*schedule_task*',
  },
  notes: {
    words: phrases(`
      note, notebook, notion, obsidian, evernote, onenote, logseq, confluence, wiki,
      write this down, write that down, write it down, jot down, scratchpad, journal, diary,
      knowledge base, notiz, notizen, notiere, prends note, carnet, nota, apunta, anota, メモ, ノート,
      笔记, 筆記, 备忘, 備忘, 记下, 記下, 메모, 노트, заметка, заметку, заметки, запиши`),
    not: phrases(`
      note that, of note, on a different note, on that note, bank note, bank notes, musical note,
      musical notes, notion of, notion that, release notes, jupyter notebook, journal article,
      take note of, medical journal, academic journal, メモリ, ノートパソコン, 메모리, 노트북`),
    tools: '*__*note *__*notes *__*onenote* *__*notebook*',
  },
  mail: {
    words: phrases(`
      mail, email, inbox, mailbox, gmail, outlook, reply to, draft a reply, attachment, newsletter,
      unsubscribe, *@*, posteingang, postfach, courriel, boîte de réception, correo,
      correo electrónico, bandeja de entrada, メール, 受信箱, 邮件, 郵件, 邮箱, 收件箱, 메일, почта, почту, почте,
      письмо, письма, имейл`),
    not: phrases(`
      economic outlook, market outlook, outlook for, outlook on, mail merge, mail carrier,
      mail in ballot, attachment theory, attachment style`),
    tools: '*__*email* *__*-mail* *__*_mail* *__*mail-*',
  },
  chat: {
    words: phrases(`
      slack, discord, telegram, whatsapp, mattermost, microsoft teams, on teams, in teams, channel,
      direct message, dm, send a message, send message, send the message, send a note to,
      text message, sms, group chat, message her, message him, message them, message the team,
      post in, announce it, nachricht an, envoie un message, message à, mensaje, メッセージ, スラック, 发消息,
      消息, 微信, 訊息, 메시지, 슬랙, сообщение, сообщения, напиши в чат, телеграм, телеграме`),
    not: phrases(`
      slack off, some slack, youtube channel, tv channel, english channel, commit message,
      error message, channel your, channel tunnel, スラックス`),
    tools: '*__*_message *__*channel* *__*chat-message* *__*send_message* *__*sms*',
  },
  memory: {
    words: phrases(`
      remember, recall, memorize, memorise, from memory, in memory, your memory, forget that,
      forget what, knowledge graph, last conversation, previous conversation,
      what do you know about me, gedächtnis, erinnerst du, souviens, retiens, mémorise, recuerda,
      memoriza, 覚えて, 記憶, 记住, 記住, 记得, 記得, 기억, запомни, помнишь, to memory, merk dir, merke dir,
      merk es dir`),
    not: phrases(`
      product recall, in memory of, remember when, remember to, i recall, as i recall`),
    tools: '*__*memor* *__create_entities *__search_nodes *__read_graph',
  },
  thinking: {
    words: phrases(`
      step by step, think through, think it through, think hard, think carefully, break it down,
      schritt für schritt, étape par étape, paso a paso, 一步一步, 逐步, 段階的に, шаг за шагом`),
  },
  documents: {
    words: phrases(`
      pdf, document, docx, word document, word file, spreadsheet, excel, xlsx, worksheet, workbook,
      pivot table, google doc, google sheet, google drive, onedrive, sharepoint, dropbox,
      powerpoint, pptx, slide, slideshow, slide deck, presentation, ocr, *.pdf, *.doc, *.docx,
      *.xls, *.xlsx, *.csv, *.ppt, *.pptx, *.odt, dokument, dokumente, tabelle, präsentation,
      folien, tableur, présentation, diapositive, documento, hoja de cálculo, presentación,
      diapositiva, 文書, スプレッドシート, エクセル, スライド, プレゼン, 文档, 文檔, 表格, 幻灯片, 演示文稿, 簡報, 문서, 스프레드시트, 프레젠테이션,
      документ, документа, документы, таблица, таблицу, презентация, презентацию`),
    not: phrases(`
      excel at, excel in, documents the, document the function, let it slide, slide into`),
    tools: '*__*pdf* *__*excel* *__*spreadsheet* *__*docx* *__*document *__*sharepoint*',
  },
  charts: {
    words: phrases(`
      chart, diagram, flowchart, histogram, bar graph, line graph, scatter plot, plot the data,
      plot this, plot these, visualize, visualise, visualization, mind map, mindmap, word cloud,
      mermaid, sankey, diagramm, diagramme, flussdiagramm, graphique, gráfico, gráfica, diagrama,
      グラフ, 図表, チャート, 图表, 圖表, 流程图, 柱状图, 思维导图, 차트, 그래프, график, диаграмма, диаграмму`),
    not: phrases(`
      パラグラフ, グラフィック`),
    tools: '*__*chart* *__*diagram* *__*mindmap* *__*graph_image*',
  },
  browser: {
    words: phrases(`
      browser, playwright, puppeteer, selenium, chrome, screenshot, click, clicking, fill in the form,
      fill out the form, submit the form, log in to, log into, open the page, open the site, open the
      website, navigate to, devtools, lighthouse, scroll down, bildschirmfoto, klick, klicke,
      navigateur, clique sur, capture d'écran, navegador, haz clic, captura de pantalla,
      スクリーンショット, ブラウザ, クリック, 截图, 截圖, 浏览器, 瀏覽器, 点击, 스크린샷, 브라우저,
      скриншот, браузер, браузере, нажми`),
    tools: 'browser_* *__browser_* *__*screenshot* *__*navigate*',
  },
  containers: {
    words: phrases(`
      docker, dockerfile, podman, kubernetes, kubectl, k8s, pod, helm, helm chart, container,
      ingress, コンテナ, クラスタ, 容器, 集群, 컨테이너, контейнер, контейнеры, контейнера, кластер`),
    not: phrases(`
      shipping container, shipping containers, food container, at the helm, pod of, pods of,
      coffee pod, coffee pods, container ship, container ships`),
    tools: '*__kubectl_* *__*container* *__*helm* *__*_pod*',
  },
  cloud: {
    words: phrases(`
      azure, aws, gcp, google cloud, firebase, cloudflare, vercel, netlify, heroku, s3, ec2,
      terraform, bicep, deploy, deployed, deployment, virtual machine, vm, serverless,
      load balancer, resource group, edge function, key vault, cloud storage, storage account,
      storage bucket, bereitstellen, deploye, déploie, déployer, despliega, desplegar, デプロイ, 部署,
      云服务, 배포, задеплой, разверни, развернуть, aws lambda`),
    tools: '*__*deploy* *__*edge_function* *__*bucket*',
  },
  monitoring: {
    words: phrases(`
      grafana, prometheus, datadog, sentry, pagerduty, splunk, kibana, crashlytics, incident,
      outage, error log, server log, application log, the logs, crash report, latency, uptime,
      on call, root cause, service health, ログを, 监控, 日志, 모니터링, логи, логов, инцидент`),
    not: phrases(`
      ブログ`),
    tools: '*__*_logs *__*-logs *__*alert* *__*incident*',
  },
  design: {
    words: phrases(`
      figma, canva, mockup, wireframe, design file, design system, design token, ui component, shadcn,
      penpot, entwurf, maquette, maqueta, デザイン, 设计稿, 設計稿, 디자인, макет, макета`),
    tools: '*__*figma* *__*design*',
  },
  media: {
    words: phrases(`
      youtube, spotify, playlist, song, music, podcast, video, transcript, generate an image,
      create an image, text to speech, voice over, draw me, draw a, bild von, musik, chanson,
      musique, vidéo, canción, música, 動画, 音楽, 画像を生成, 视频, 音乐, 影片, 音樂, 生成图片, 画一, 동영상, 음악, видео,
      музыка, музыку, песня, песню, das lied`),
    not: phrases(`
      draw a conclusion, draw a line, draw a distinction, video game, video games`),
    tools: '*__*transcript* *__*video* *__*generate_image* *__*playlist* *__*drawing*',
  },
  maps: {
    words: phrases(`
      map, directions, route, how far, distance, nearby, near me, nearest, restaurant,
      street address, the address of, geocode, coordinates, latitude, longitude, drive to, driving,
      traffic jam, where to park, parking, travel time, bike route, landkarte, stadtplan,
      wegbeschreibung, in der nähe, entfernung, itinéraire, près de, à proximité, mapa,
      cómo llegar, ruta, cerca de, restaurante, 地図, 道順, 近く, 行き方, 地图, 地圖, 路线, 路線, 附近, 怎么去, 导航, 導航,
      길찾기, 근처, карта, карте, карту, маршрут, рядом, как добраться, 지도에, 지도를`),
    not: phrases(`
      map function, map reduce, hash map, mind map, site map, source map, source maps, map over,
      api route, route handler, stage directions, driving force, driving factor, to the nearest,
      nearest neighbor, nearest neighbour, polar coordinates, cartesian coordinates, edit distance,
      hamming distance, euclidean distance, distance learning`),
    tools: '*__maps_* *__*geocode* *__*directions* *__*_places*',
  },
  weather: {
    words: phrases(`
      weather, forecast, temperature, rain, raining, snow, snowing, sunny, humidity, umbrella,
      wetter, wettervorhersage, regnet, regnen, temperatur, météo, quel temps fait il, pleut,
      pleuvoir, température, clima, qué tiempo, llueve, llover, temperatura, pronóstico, 天気, 気温,
      天气, 天氣, 气温, 氣溫, 下雨, 날씨, 기온, погода, погоду, погоде, дождь, температура`),
    not: phrases(`
      sales forecast, revenue forecast, budget forecast, under the weather, rain check, snow white`),
    tools: '*__*weather* *__*forecast*',
  },
  time: {
    words: phrases(`
      what time, current time, time zone, timezone, time is it, what day, what date, today's date,
      how many days, days until, days between, convert time, unix timestamp, timestamp, utc, week
      number, leap year, wie spät, uhrzeit, zeitzone, quelle heure, fuseau horaire, qué hora, zona
      horaria, 何時, 時刻, タイムゾーン, 几点, 幾點, 时区, 時區, 몇 시, 시간대, который час, сколько
      времени, часовой пояс`),
    tools: '*__*current_time* *__*convert_time* *__*timestamp*',
  },
  travel: {
    words: phrases(`
      flight, hotel, airbnb, airline, train ticket, plane ticket, train from, train to, trip to,
      itinerary, book a room, flug, flüge, reise, zugticket, hôtel, vol pour, billet de train,
      vuelo, viaje, billete de tren, 飛行機, ホテル, 新幹線, 旅行, 航班, 机票, 酒店, 高铁, 火车票, 飯店, 항공권, 호텔, рейс,
      отель, билет на поезд, поезд, flügen`),
    tools: '*__*flight* *__*hotel* *__*airbnb* *__*tickets',
  },
  finance: {
    words: phrases(`
      stock price, stock market, share price, nasdaq, crypto, bitcoin, ethereum, exchange rate,
      currency, currencies, dividend, market cap, cash flow, balance sheet, earnings report,
      aktienkurs, wechselkurs, taux de change, cours de l'action, tipo de cambio, 株価, 為替, 股价, 股票,
      汇率, 股價, 匯率, 주가, 환율, курс валют, курс доллара, акции, stocks`),
    tools: '*__*stock* *__*exchange_rate* *__*crypto*',
  },
  payments: {
    words: phrases(`
      stripe, paypal, invoice, payment, refund, credit card, billing, bank account, rechnung,
      rechnungen, zahlung, rückerstattung, facture, paiement, remboursement, factura, reembolso,
      請求書, 支払い, 返金, 发票, 付款, 退款, 支付, 發票, 결제, 환불, оплата, оплату, платёж, возврат`),
    not: phrases(`
      stripes`),
    tools: '*__*invoice* *__*payment* *__*refund*',
  },
  shop: {
    words: phrases(`
      shopify, woocommerce, amazon, ebay, order status, my order, product catalog, inventory,
      shopping cart, add to cart, discount code, worth buying, bestellung, warenkorb,
      commande en ligne, panier, pedido, carrito, 注文, カート, 订单, 訂單, 购物车, 주문, 장바구니, заказ, корзина`),
    not: phrases(`
      amazon rainforest, amazon river, スカート`),
    tools: '*__*product* *__*_order* *__*inventory*',
  },
  crm: {
    words: phrases(`
      crm, salesforce, hubspot, pipedrive, zendesk, intercom, sales pipeline, sales lead, customer,
      contact list, my contacts, support ticket, kunde, kunden, kontakte, mes contacts, cliente,
      contactos, 顧客, 連絡先, 客户, 客戶, 联系人, 고객, 연락처, клиент, клиента, клиенты, контакты`),
    tools: '*__*contact* *__*customer* *__*deal*',
  },
  home: {
    words: phrases(`
      home assistant, smart home, thermostat, temperature, heating, air conditioning, living room,
      light bulb, smart plug, robot vacuum, garage door, licht, lampe, heizung, lumière, chauffage,
      luces, luz, calefacción, 照明, エアコン, 電気をつけて, 灯, 空调, 燈, 空調, 조명, 에어컨, свет, отопление, lights,
      turn on the light, turn off the light, switch on the light, switch off the light,
      dim the light, light on, light off`),
    not: phrases(`
      traffic lights, northern lights, city lights, sheds light on, shed light on`),
    tools: '*__*light* *__*thermostat* *__*climate* *__*call_service*',
  },
  notifications: {
    words: phrases(`
      notify, notification, push notification, let me know when, alert me, ping me, pushover, ntfy,
      benachrichtige, benachrichtigung, préviens, notifie, avísame, notifícame, notificación, 通知,
      уведоми, уведомление`),
    tools: '*__*notif*',
  },
};

/** The built-in categories: for each subject its words, its well-known servers and its name patterns. */
export const CATEGORIES: readonly Category[] = Object.entries(SUBJECTS).map(
  ([name, { tools, ...words }]) => ({
    name,
    ...words,
    tools: [...KNOWN_SERVERS[name as Subject], ...(tools?.split(' ') ?? [])],
  }),
);

function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim().replace(/\s+/g, ' '));
}
