import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createTranslator } from './translate.ts';

const translate = createTranslator();

/** Asserts the English words for each query. */
function assertWords(cases: Readonly<Record<string, string>>): void {
  for (const [query, words] of Object.entries(cases))
    assert.equal(translate(query).join(' '), words, query);
}

suite('German', () => {
  test('words become the English words of tools', () => {
    assertWords({
      'Slack Nachricht senden': 'message send',
      'Wie wird das Wetter morgen in Berlin?': 'weather tomorrow',
      'Kannst du mir bitte helfen, Rezepte zu finden': 'recipe find',
    });
  });

  test('inflected words are known', () => {
    assertWords({
      'alle Häuser zeigen': 'house show',
      'gelöschte Ordner': 'delete folder',
      'Übersetzungen der Sätze': 'translation sentence',
      'loesche zwei Woerter': 'delete word',
    });
  });

  test('separate parts join their verbs at the end of a clause', () => {
    assertWords({
      'Lade die Datei bitte hoch': 'upload file',
      'Fasse den Bericht zusammen und schick ihn ab': 'summarize report send',
      'Lade ein Bild hoch': 'upload image picture',
      'angelegte Dateien': 'create file',
      'hochzuladende Bilder': 'upload image picture',
    });
  });

  test('compounds are split into known parts', () => {
    assertWords({
      Rechnungsliste: 'invoice list',
      'Videokonferenz planen': 'video conference schedule plan',
      'Datenbanktabellen auflisten': 'database table list',
      'den Slackkanal umbenennen': 'channel rename',
    });
  });
});

suite('Spanish', () => {
  test('words become the English words of tools', () => {
    assertWords({
      '¿Qué tiempo hace en Madrid?': 'time weather',
      'Traduce este texto al inglés': 'translate text english',
      'por favor, quiero comprar un billete de tren': 'buy purchase ticket train',
    });
  });

  test('inflected words and pronouns behind verbs are known', () => {
    assertWords({
      'buscar archivos': 'search find file',
      'busca los archivos': 'search file',
      'búscame vuelos baratos': 'search flight cheap',
      'enviarle mensajes a Ana': 'send submit message',
      'Muestrame las ultimas noticias': 'show recent latest news',
    });
  });

  test('phrases are read as one', () => {
    assertWords({
      'actualiza las hojas de cálculo': 'update spreadsheet',
      'correos no leídos': 'email unread',
    });
  });
});

suite('French', () => {
  test('words become the English words of tools', () => {
    assertWords({
      'Quelle est la météo à Paris demain ?': 'weather tomorrow',
      "Envoie un courriel à l'équipe": 'send email team',
      'je voudrais réserver un hôtel': 'book reserve',
    });
  });

  test('accents and endings do not matter', () => {
    for (const form of ['créer', 'creer', 'crée', 'créé', 'créez', 'CRÉER'])
      assert.deepEqual(translate(`${form} une tâche`), ['create', 'task', 'todo', 'job'], form);
    assertWords({ 'les réseaux locaux': 'network' });
  });

  test('phrases are read as one', () => {
    assertWords({
      'Mets à jour la feuille de calcul': 'update spreadsheet',
      'changer le mot de passe': 'change switch password',
      'à faire aujourd’hui': 'todo today',
    });
  });

  test('an English plural that is a French word is read as French', () => {
    assertWords({ 'liste des branches du dépôt': 'list branch deposit repository' });
  });
});

suite('Chinese', () => {
  test('the longest words are taken', () => {
    assertWords({
      请帮我创建一个任务: 'create task',
      删除文件夹里的文件: 'delete remove folder file document',
      今天北京的天气怎么样: 'today weather',
      帮我订一张去上海的机票: 'book ticket flight',
    });
  });

  test('traditional characters are known', () => {
    assert.deepEqual(translate('搜尋附近的餐廳'), translate('搜寻附近的餐厅'));
    assert.ok(translate('搜尋附近的餐廳').includes('restaurant'));
  });

  test('names in Latin letters are left to the caller', () => {
    assertWords({ '在 GitHub 上创建 issue': 'create', 帮我打开Slack频道: 'open turn channel' });
  });
});

suite('Japanese', () => {
  test('words become the English words of tools, and endings are passed over', () => {
    assertWords({
      天気を教えて: 'weather',
      'ファイルを削除してください。': 'file delete remove',
      GitHubで新しい課題を作りたい: 'new task issue create',
      ﾒｰﾙを送った: 'email mail send',
    });
  });

  test('the longest word counts, and a word within another one does not', () => {
    assertWords({
      予定表を見たい: 'calendar show view',
      コンテストの結果: 'result',
      作家について: '',
      本を買う: 'book buy',
    });
  });
});

suite('which language', () => {
  test('nothing is translated in an English query', () => {
    const queries = [
      'create a new issue',
      'list all open files in the folder',
      'come',
      'tag',
      'comment',
      'chat',
      'hotel',
      'information',
      'book a flight to El Paso',
      'Die Hard movie',
      'send a gift to a kind man',
      'command line main menu',
      "the client's details don't load",
      'restaurants in San Francisco',
      'github__create_issue',
      'How do I cancel an order?',
    ];
    for (const query of queries) assert.deepEqual(translate(query), [], query);
  });

  test('English names of things do not hide a query in another language', () => {
    assertWords({
      'crear issue': 'create',
      'crea un pull request en GitHub': 'create',
      'Merge Request freigeben': 'share approve',
      'créer un ticket Jira': 'create',
      'Die To-do-Liste': 'todo list',
    });
  });

  test('a query is one language, the one that knows most of its words', () => {
    assertWords({
      'come la receta': 'recipe',
      'Comment traduire ce texte': 'translate text',
      'rote Karte': 'red map card ticket',
      'la carte du monde': 'card map world',
      'la red de la empresa': 'web network company',
    });
  });

  test('letters decide between languages that know equally many words', () => {
    for (const form of ['NFC', 'NFD'])
      assert.deepEqual(translate('dépôt'.normalize(form)), ['deposit', 'repository']);
    assert.deepEqual(translate('Depot verwalten'), ['portfolio', 'manage']);
  });

  test('words of the query itself are not repeated, and each word comes once', () => {
    assertWords({
      'send Nachricht senden': 'message',
      'Datei suchen, Dateien suchen': 'file search find',
    });
  });
});

suite('hostile text', () => {
  test('names that objects have anyway are no words', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])
      assert.deepEqual(translate(name), [], name);
    assertWords({ '__proto__ löschen': 'delete remove' });
  });

  test('only the first 1,000 characters are read', () => {
    assert.deepEqual(translate(`${'x '.repeat(500)}löschen`), []);
    assert.deepEqual(translate(`${'x'.repeat(990)} löschen`), ['delete', 'remove']);
  });

  test('huge and broken text does no harm', () => {
    const odd = [
      '',
      ' \0 --- ',
      '\ud800',
      'löschen \udc00\ud800',
      '\u202e\ufdfa'.repeat(50_000),
      'rechnungs'.repeat(12_000),
      'rechnungs'.repeat(4),
      'liste '.repeat(20_000),
      '删'.repeat(100_000),
      '\u{20000}'.repeat(50_000),
      'a\u0301'.repeat(50_000),
      'hoch, '.repeat(20_000),
      'zu '.repeat(40_000),
      ':;_-'.repeat(25_000),
    ];
    for (const query of odd)
      for (const word of translate(query)) assert.match(word, /^[a-z]+$/, query.slice(0, 20));
    assertWords({ 'löschen \udc00\ud800': 'delete remove' });
  });
});
