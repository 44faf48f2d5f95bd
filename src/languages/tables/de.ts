/**
 * German. Each entry is an English word and the German words for it; `_` joins the words of a
 * phrase, and `-` stands before words that say nothing about a tool.
 */
export const GERMAN = `
-: der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber
-: sondern auch nur noch schon ich du er sie es wir ihr mir mich dir dich ihm ihn ihnen uns euch
-: sich man mein meine meinen meinem meiner meines dein deine deinen deinem deiner sein seine
-: seinen seinem seiner unser unsere unseren unserem unserer euer eure ihre ihren ihrem ihrer
-: dieser diese dieses diesen diesem jener jene jeder jede jedes jeden jedem alle alles allen
-: aller in im ins an am ans auf aufs aus bei beim bis durch für gegen mit nach ohne seit über um
-: unter von vom vor zu zum zur zwischen während wegen innerhalb außerhalb als wie was wer wen wem
-: wo wann warum wieso woher wohin welche welcher welches welchen welchem wieviel wieviele viel
-: viele vielen mehr sehr ganz gerade mal doch halt eben bitte danke hallo ist sind bin bist war
-: waren wird werden wurde wurden worden hat habe haben hast hatte hätte hätten kann kannst können
-: könnte könntest könnten soll sollen sollte möchte möchten möchtest will wollen willst muss
-: müssen müsste darf dürfen mag brauche brauchen braucht benötige benötigen gib gibt geben gebe
-: hilf helfen hilfst helft lass lassen machen mache mach macht tun tue da dort hier dann denn
-: weil dass ob wenn falls damit darin daraus davon dazu dafür darauf hinzu etwas jemand nichts
-: nicht nein einfach gern gerne mithilfe genannt gewünscht bestimmt bestimmte bestimmten
-: gewisse mögliche möglich gibts welch entsprechend entsprechende bezüglich betreffend anhand
-: wie_hoch wie_lange wie_viel gemäß laut je pro samt sowie bzw usw zb ca so sagen sag

create: erstellen anlegen erzeugen anzulegen erstellung lege leg generieren einrichten
make: anfertigen basteln herstellen; new: neu neue neuen neuer neues neuem
add: hinzufügen füge füg ergänzen beifügen zufügen eintragen eintrage eintrag anfügen dazu
delete: löschen lösch löschung; remove: entfernen löschen wegnehmen beseitigen
clear: leeren leere bereinigen
cancel: stornieren absagen kündigen abbrechen stornierung storno abbestellen
edit: bearbeiten bearbeitung editieren; change: ändern änderung verändern
modify: modifizieren anpassen abändern; update: aktualisieren aktualisierung updaten ändern
replace: ersetzen austauschen; rename: umbenennen umbenannt benenne
list: auflisten liste listen auflistung aufzählen verzeichnis
show: zeigen zeig anzeigen vorzeigen sendung; display: anzeigen darstellen anzeige darstellung
view: ansehen anschauen betrachten ansicht schau angucken
get: holen hole hol abrufen abruf beschaffen besorgen bekommen erhalten liefern ermitteln
fetch: abrufen holen laden; retrieve: abrufen wiederfinden
read: lesen lies liest gelesen auslesen vorlesen; write: schreiben schreib geschrieben verfassen
search: suchen suche such durchsuchen gesucht nachschlagen recherchieren recherche
find: finden finde gefunden herausfinden auffinden suchen; look: schauen nachsehen
check: prüfen überprüfen prüfung kontrollieren überprüfung nachprüfen checken
verify: verifizieren bestätigen; validate: validieren gültigkeit
send: senden sende schicken schick verschicken versenden gesendet abschicken zusenden absenden sendung
receive: empfangen erhalten; reply: antworten antworte beantworten
answer: antwort antworten beantworten; forward: weiterleiten leite
post: posten veröffentlichen beitrag; publish: veröffentlichen publizieren veröffentlichung
book: buchen buche buch buchung bücher; reserve: reservieren; reservation: reservierung
schedule: planen vereinbaren ansetzen terminieren zeitplan fahrplan; plan: planen planung
share: teilen teile freigeben freigabe geteilt; invite: einladen einladung eingeladen
join: beitreten teilnehmen betreten; leave: verlassen austreten; translate: übersetzen
translation: übersetzung
convert: umwandeln umrechnen konvertieren umrechnung umwandlung konvertierung wandle wandeln rechne umgewandelt
transform: umformen transformieren; compare: vergleichen vergleiche vergleich verglichen
calculate: berechnen rechnen ausrechnen berechnung kalkulieren; compute: berechnen
count: zählen anzahl zähle; sum: summieren addieren; sort: sortieren sortiert sortierung
filter: filtern herausfiltern; group: gruppieren gruppe gruppierung
upload: hochladen hoch hochlade raufladen upgeloadet
download: herunterladen runterladen herunter runter laden downloaden; import: importieren einlesen
export: exportieren ausgeben; save: speichern sichern abspeichern
store: speichern ablegen aufbewahren geschäft laden filiale; load: laden lade lädt geladen
open: öffnen öffne offen offene offenen offener aufmachen
close: schließen schließe schliess zumachen geschlossen; start: starten beginnen anfangen
stop: stoppen anhalten beenden; begin: beginnen; end: beenden ende
run: ausführen laufen lassen führe; execute: ausführen durchführen; launch: starten
restart: neustarten neustart neu_starten; pause: pausieren; resume: fortsetzen lebenslauf
play: abspielen spielen spiele spiel
record: aufzeichnen aufnehmen aufnahme aufzeichnung datensatz datensätze
move: verschieben verschiebe bewegen umziehen verschoben; copy: kopieren kopie
duplicate: duplizieren duplikat doppelt doppelte verdoppeln; paste: einfügen
cut: ausschneiden schneiden
merge: zusammenführen mergen verschmelzen vereinen fusionieren zusammenfügen
combine: kombinieren verbinden; split: aufteilen trennen teilen zerlegen
extract: extrahieren herausziehen entnehmen auslesen; insert: einfügen einsetzen; append: anhängen
deploy: bereitstellen ausrollen deployen ausliefern; build: bauen bau kompilieren
install: installieren installation; uninstall: deinstallieren
configure: konfigurieren einrichten einstellen
set: setzen festlegen einstellen setze stelle stell; reset: zurücksetzen
enable: aktivieren einschalten aktivierung anschalten
disable: deaktivieren ausschalten abschalten; turn: einschalten ausschalten drehen
switch: umschalten wechseln schalter; lock: sperren abschließen verriegeln
unlock: entsperren aufschließen; block: blockieren sperren; allow: erlauben zulassen gestatten
grant: gewähren erteilen; revoke: widerrufen entziehen
approve: genehmigen freigeben genehmigung bewilligen; reject: ablehnen zurückweisen abgelehnt
accept: annehmen akzeptieren; confirm: bestätigen bestätigung; submit: einreichen absenden abgeben
request: anfordern anfrage anfragen beantragen antrag; ask: fragen frage nachfragen
buy: kaufen kauf einkaufen gekauft erwerben; purchase: kauf kaufen einkauf
sell: verkaufen verkauf verkauft; pay: bezahlen zahlen zahle überweisen
order: bestellen bestellung auftrag aufträge bestell
refund: erstatten rückerstattung erstattung zurückerstatten; charge: belasten abbuchen
transfer: überweisen überweisung übertragen übertragung; deposit: einzahlen einzahlung
withdraw: abheben auszahlen; subscribe: abonnieren; subscription: abonnement abo abos
unsubscribe: abbestellen abmelden; follow: folgen folge
track: verfolgen nachverfolgen sendungsverfolgung; monitor: überwachen überwachung beobachten
watch: beobachten anschauen ansehen; notify: benachrichtigen; notification: benachrichtigung
remind: erinnern erinnere erinner; reminder: erinnerung; alert: warnung alarm alarmieren
warn: warnen; assign: zuweisen zuordnen zugewiesen zuteilen; unassign: zuweisung_entfernen
label: etikett kennzeichnen beschriften; tag: markieren schlagwort schlagwörter stichwort
mark: markieren kennzeichnen; pin: anheften anpinnen; comment: kommentieren kommentar
review: überprüfen bewertung begutachten rezension durchsicht; rate: bewerten kurs
vote: abstimmen stimme abstimmung wahl; like: gefallen mögen
analyze: analysieren untersuchen auswerten; analysis: analyse auswertung
summarize: zusammenfassen zusammengefasst fasse resümieren
summary: zusammenfassung überblick übersicht; explain: erklären erläutern erklärung
describe: beschreiben; description: beschreibung; generate: generieren erzeugen
draw: zeichnen malen; design: entwerfen gestalten entwurf; paint: malen; format: formatieren
print: drucken ausdrucken; scan: scannen einscannen; parse: parsen auswerten
encode: kodieren codieren; decode: dekodieren decodieren entschlüsseln; encrypt: verschlüsseln
decrypt: entschlüsseln; compress: komprimieren verkleinern packen; unzip: entpacken
resize: skalieren größe_ändern verkleinern vergrößern; crop: zuschneiden; rotate: drehen rotieren
click: klicken anklicken; scroll: scrollen blättern; type: tippen eingeben typ art
navigate: navigieren; visit: besuchen aufrufen; browse: durchstöbern stöbern surfen
crawl: durchforsten; connect: verbinden; disconnect: trennen; connection: verbindung
link: verknüpfen verlinken verknüpfung; call: anrufen anruf telefonieren; dial: wählen
talk: reden sprechen; speak: sprechen sprich; listen: hören anhören zuhören; hear: hören
learn: lernen; teach: lehren beibringen; register: registrieren anmelden
log: protokoll protokollieren protokolle; login: anmelden einloggen anmeldung
logout: abmelden ausloggen; sign: unterschreiben signieren unterzeichnen
backup: sichern sicherung datensicherung; restore: wiederherstellen wiederherstellung
recover: wiederherstellen; undo: rückgängig; revert: zurücksetzen rückgängig
archive: archivieren archiv; sync: synchronisieren abgleichen; commit: committen einchecken
clone: klonen; push: pushen schieben; pull: ziehen pullen; fix: beheben reparieren korrigieren
solve: lösen; resolve: auflösen beheben lösen; debug: fehlersuche; test: testen
measure: messen messung; estimate: schätzen schätzung; predict: vorhersagen
recommend: empfehlen empfiehl; recommendation: empfehlung; suggest: vorschlagen schlage
suggestion: vorschlag vorschläge; select: auswählen wählen auswahl; choose: wählen aussuchen
pick: aussuchen auswählen; manage: verwalten verwaltung; organize: organisieren ordnen aufräumen
control: steuern steuerung; use: nutzen benutzen verwenden; wait: warten
finish: fertigstellen abschließen; complete: erledigen abschließen vollständig
upgrade: aufrüsten hochstufen; query: abfragen abfrage; drop: verwerfen; travel: reisen reise
trip: reise ausflug trips; drive: fahren fahrt; fly: fliegen; walk: gehen laufen spaziergang
eat: essen iss; cook: kochen koche; file: datei akte dateien; folder: ordner mappe
directory: verzeichnis; path: pfad; document: dokument unterlagen unterlage; page: seite
text: texte; word: wort wörter; sentence: satz sätze; paragraph: absatz absätze; line: zeile linie
note: notiz notieren vermerk; attachment: anhang anhänge dateianhang
message: nachricht mitteilung botschaft; email: mail mails emails postfach e_mail
mail: post brief briefe; inbox: posteingang eingang; draft: entwurf entwürfe; recipient: empfänger
sender: absender; subject: betreff thema; thread: faden unterhaltung
conversation: unterhaltung gespräch konversation; chat: chatten plaudern; channel: kanal kanäle
reaction: reaktion; mention: erwähnung erwähnen; calendar: kalender
event: termin ereignis veranstaltung termine events; meeting: besprechung sitzung treffen meetings
appointment: termin verabredung; date: datum; time: zeit uhrzeit uhr; timezone: zeitzone
day: tag tage tagen tages; week: woche; month: monat; year: jahr; hour: stunde; minute: minuten
second: sekunde; today: heute heutige heutigen; tomorrow: morgen; yesterday: gestern
weekend: wochenende; morning: vormittag früh; evening: abend; night: nacht nächte
birthday: geburtstag; holiday: feiertag ferien; vacation: urlaub
deadline: frist stichtag fälligkeit; duration: dauer; availability: verfügbarkeit
available: verfügbar verfügbare; free: frei freie freien kostenlos kostenlose gratis
busy: beschäftigt belegt; task: aufgabe todo; todo: aufgabe to_do to_dos; project: projekt
milestone: meilenstein; goal: ziel; board: tafel brett; card: karteikarte ; issue: problem vorgang
ticket: fahrkarte eintrittskarte vorgang; bug: fehler; error: fehler; sprint: sprints
branch: zweig zweige; commits: übernahmen; repository: repo projektarchiv quelltextarchiv
code: quellcode quelltext programmcode; pull request: merge_anfrage zusammenführungsanfrage
release: veröffentlichung; version: fassung; package: paket pakete; module: modul
workflow: arbeitsablauf ablauf; pipeline: fließband
job: auftrag stelle arbeitsplatz arbeitsstelle stellenangebot; function: funktion
variable: variablen; script: skript; program: programm; application: anwendung bewerbung
app: anwendung; software: programme; server: servern; cluster: verbund; container: behälter
instance: instanz; environment: umgebung; secret: geheimnis; key: schlüssel
token: zugriffsschlüssel; password: passwort passwörter kennwort; user: benutzer nutzer anwender
account: konto konten; profile: profil; role: rolle; permission: berechtigung erlaubnis
access: zugriff zugang; security: sicherheit; owner: besitzer inhaber eigentümer; member: mitglied
team: mannschaft; organization: organisation; company: firma unternehmen
employee: mitarbeiter angestellte; manager: vorgesetzter leiter; person: personen
people: personen leute menschen; friend: freund freunde; contact: kontakt kontaktieren
customer: kunde kunden kundin; client: kunde klient mandant; lead: interessent; deal: geschäft
campaign: kampagne; address: adresse anschrift; phone: telefon handy
phone number: telefonnummer handynummer rufnummer; number: nummer zahl zahlen; name: namen
title: titel; id: kennung; status: stand zustand; state: zustand bundesland; category: kategorie
property: eigenschaft immobilie; value: wert werte; table: tabelle tisch; row: zeile reihe
column: spalte; cell: zelle; spreadsheet: tabellenkalkulation tabellenblatt kalkulationstabelle
sheet: blatt blätter; database: datenbank; data: daten; dataset: datensatz datenmenge
schema: schemata; field: feld felder; index: verzeichnis; collection: sammlung
item: element eintrag einträge artikel; form: formular; template: vorlage; survey: umfrage
question: frage; report: bericht; chart: diagramm; graph: graf schaubild; diagram: diagramm
statistics: statistik; metric: kennzahl messwert; dashboard: übersicht; invoice: rechnung faktura
receipt: quittung beleg kassenbon; payment: zahlung bezahlung; price: preis; cost: kosten
amount: betrag beträge menge; total: gesamt summe gesamtbetrag; tax: steuer mehrwertsteuer
discount: rabatt nachlass; coupon: gutschein; budget: haushalt; bank: banken
balance: saldo kontostand guthaben; transaction: transaktion buchung umsatz umsätze
credit card: kreditkarte; credit: kredit gutschrift; loan: darlehen kredit; money: geld
currency: währung; exchange rate: wechselkurs umrechnungskurs; euro: euros
expense: ausgabe spesen; income: einkommen einnahmen; revenue: umsatz einnahmen
stock: aktie lagerbestand bestand börse; share price: aktienkurs; market: markt märkte
portfolio: depot; crypto: kryptowährung krypto; interest: zinsen; insurance: versicherung
contract: vertrag verträge; quote: angebot zitat spruch; offer: angebot; product: produkt ware
cart: warenkorb einkaufswagen; shop: laden geschäft einkaufen; shopping: einkauf einkaufen
inventory: inventar lagerbestand; warehouse: lager; shipping: versand; shipment: sendung lieferung
delivery: lieferung zustellung; supplier: lieferant; catalog: katalog; weather: wetter
forecast: vorhersage prognose wettervorhersage wetterbericht; temperature: temperatur
rain: regen regnet; snow: schnee; wind: sturm; sun: sonne; climate: klima
air quality: luftqualität; earthquake: erdbeben; humidity: luftfeuchtigkeit; flight: flug flüge
airport: flughafen flughäfen; airline: fluggesellschaft; hotel: unterkunft
room: zimmer raum räume; accommodation: unterkunft; restaurant: lokal gaststätte
train: zug züge bahn; station: bahnhof haltestelle; bus: busse; car: auto wagen fahrzeug
vehicle: fahrzeug; rental: vermietung mietwagen mieten; taxi: taxis; bike: fahrrad; ship: schiff
parking: parkplatz parken; map: karte landkarte stadtplan; route: strecke weg
direction: richtung wegbeschreibung; distance: entfernung abstand; location: ort standort lage
place: ort platz; nearby: nähe umgebung; city: stadt; country: land länder; region: gebiet
world: welt; street: straße; house: haus; home: zuhause; apartment: wohnung; building: gebäude
rent: miete mieten; traffic: verkehr stau; destination: reiseziel; departure: abfahrt abflug
arrival: ankunft; passport: reisepass ausweis; visa: visum; tourist: tourismus
attraction: sehenswürdigkeit; landmark: wahrzeichen; museum: museen; recipe: rezept
ingredient: zutat; food: essen lebensmittel nahrung; meal: mahlzeit gericht; dish: gericht speise
menu: speisekarte menü; drink: getränk trinken; cocktail: cocktails; nutrition: ernährung nährwert
calorie: kalorien; diet: diät; breakfast: frühstück; lunch: mittagessen; dinner: abendessen
wine: wein; coffee: kaffee; image: bild abbildung; picture: bild; photo: foto aufnahme
video: film videos; audio: ton; music: musik; song: lied lieder titel; album: alben
artist: künstler; playlist: wiedergabeliste abspielliste; lyrics: liedtext songtext
movie: film kinofilm; cinema: kino; series: serie; episode: folge; actor: schauspieler
podcast: podcasts; radio: rundfunk; voice: stimme; speech: sprache rede; sound: geräusch klang
volume: lautstärke; camera: kamera; screen: bildschirm
screenshot: bildschirmfoto bildschirmaufnahme; background: hintergrund; color: farbe
font: schrift schriftart; icon: symbol; logo: firmenzeichen; animation: animieren
news: nachrichten neuigkeiten schlagzeilen meldungen; headline: schlagzeile überschrift
article: artikel; blog: blogeintrag; author: autor schriftsteller verfasser
library: bibliothek bücherei; paper: aufsatz papier; research: forschung recherche
science: wissenschaft; study: studie; citation: zitat; poem: gedicht; story: geschichte
history: verlauf geschichte historie; dictionary: wörterbuch; definition: bedeutung definieren
synonym: synonyme; language: sprache; english: englisch englische; german: deutsch deutsche
french: französisch französische; spanish: spanisch spanische; chinese: chinesisch
grammar: grammatik; spelling: rechtschreibung; subtitle: untertitel
transcript: mitschrift abschrift transkript; transcribe: transkribieren
website: webseite internetseite; web: internet netz; site: seite; url: webadresse internetadresse
domain: domäne; browser: webbrowser; network: netzwerk netz; ip: ipadresse; cloud: wolke
button: knopf schaltfläche; search engine: suchmaschine; result: ergebnis resultat treffer
keyword: schlüsselwort suchbegriff; game: spiel; player: spieler musikspieler
score: punktestand spielstand ergebnis; match: spiel partie; league: liga; football: fußball
sport: sportart; sports: sport; tournament: turnier; joke: witz; quiz: rätsel; fact: fakt tatsache
random: zufällig zufall zufallszahl; horoscope: horoskop; lottery: lotterie lotto
health: gesundheit; doctor: arzt ärzte ärztin; hospital: krankenhaus; patient: patienten
medicine: medizin medikament arznei; drug: medikament droge; symptom: symptome; disease: krankheit
fitness: training; exercise: übung; workout: training; sleep: schlaf schlafen; weight: gewicht
heart: herz; step: schritt; body: körper; school: schule; course: kurs; lesson: lektion unterricht
student: schüler studenten; teacher: lehrer; exam: prüfung klausur
university: universität hochschule; education: bildung; candidate: bewerber kandidat
salary: gehalt lohn; interview: vorstellungsgespräch; device: gerät
light: licht lampe lampen beleuchtung; door: tür; window: fenster; thermostat: heizung
heating: heizung; sensor: sensoren; alarm: wecker; timer: stoppuhr zeitgeber; clock: uhr
machine: maschine; robot: roboter; battery: batterie akku; energy: energie; power: strom leistung
water: wasser; computer: rechner; memory: speicher gedächtnis; storage: speicherplatz speicher
disk: festplatte; math: mathematik mathe; equation: gleichung; formula: formel; unit: einheit
length: länge; size: größe; area: fläche; average: durchschnitt mittelwert; percent: prozent
maximum: höchstwert; minimum: mindestwert; trend: entwicklung; model: modell
prompt: eingabeaufforderung; agent: agenten; knowledge: wissen
information: informationen auskunft; detail: details einzelheiten; idea: idee; thought: gedanke
law: gesetz recht; legal: rechtlich juristisch; court: gericht; government: regierung
politics: politik; patent: patente; animal: tier; dog: hund; cat: katze; plant: pflanze
tree: baum; flower: blume; planet: planeten; space: weltraum; star: stern; moon: mond
river: fluss; sea: meer; beach: strand; mountain: berg; park: grünanlage; child: kind kinder
man: mann; woman: frau; family: familie; baby: säugling; wedding: hochzeit; gift: geschenk
party: feier; concert: konzert; theater: schauspielhaus; exhibition: ausstellung
conference: konferenz; presentation: präsentation vortrag; slide: folie; webinar: onlineseminar
speaker: redner lautsprecher; guest: gast gäste; attendee: teilnehmer; participant: teilnehmer
setting: einstellung; option: möglichkeit; feature: funktion merkmal; rule: regel
policy: richtlinie; condition: bedingung; trigger: auslöser auslösen; action: aktion handlung
process: prozess vorgang verarbeiten; service: dienst; support: unterstützung unterstützen
help: hilfe; feedback: rückmeldung; complaint: beschwerde; warranty: garantie; part: teil
level: stufe ebene; priority: priorität; event log: ereignisprotokoll; daily: täglich tägliche
weekly: wöchentlich; monthly: monatlich monatliche; yearly: jährlich
recent: kürzlich letzte letzten letzter neueste neuesten jüngste
latest: neueste neuesten aktuellste aktuelle; last: letzte letzten letzter letztes
next: nächste nächsten nächster nächstes kommende kommenden; previous: vorherige vorige
upcoming: bevorstehend anstehend anstehende kommende
current: aktuell aktuelle aktuellen aktueller aktuelles derzeit jetzig momentan gegenwärtig
now: jetzt nun sofort; old: alt alte alten älter; past: vergangen vergangene
future: zukunft künftig; first: erste ersten erster; closed: geschlossen geschlossene
unread: ungelesen ungelesene; shared: geteilt geteilte freigegeben freigegebene; private: privat
public: öffentlich öffentliche; local: lokal örtlich; global: weltweit; active: aktiv aktive
inactive: inaktiv; pending: ausstehend ausstehende; overdue: überfällig; due: fällig
done: erledigt fertig; important: wichtig wichtige; urgent: dringend eilig
favorite: favorit lieblings; popular: beliebt beliebte; best: beste besten bester
top: oberste spitze; cheap: billig günstig günstige günstigste preiswert; expensive: teuer
high: hohe hohen; low: niedrig tief; large: groß große großen; big: groß; small: klein kleine
long: lang lange; short: kurz kurze; fast: schnell; slow: langsam; hot: heiß; cold: kalt
empty: leer; full: voll; missing: fehlend fehlende fehlt
different: verschieden unterschiedlich anders; difference: unterschied; same: gleich gleiche
similar: ähnlich ähnliche; related: verwandt zugehörig; specific: konkret
multiple: mehrere mehreren; several: mehrere; whole: gesamte; automatic: automatisch
online: internet; live: livestream direktübertragung; red: rot; green: grün; blue: blau
black: schwarz; white: weiß; yellow: gelb
sale: verkauf verkäufe absatz
card: karte; ticket: karte

win: gewinnen gewonnen gewinner sieg; population: einwohner bevölkerung
payroll: lohnabrechnung gehaltsabrechnung; return: zurückgeben zurücksenden retoure rückgabe
time: wie_spät spät; wishlist: wunschliste; sunrise: sonnenaufgang; sunset: sonnenuntergang
coordinates: koordinaten; fuel: kraftstoff benzin sprit; charging: ladestation ladesäule aufladen
sentiment: stimmung; vulnerability: schwachstelle sicherheitslücke; threat: bedrohung
certificate: zertifikat bescheinigung; performance: leistung; usage: nutzung verbrauch
limit: begrenzung grenze; queue: warteschlange; license: lizenz; topic: thema
follower: abonnenten anhänger; barcode: strichcode; qr code: qr; metadata: metadaten
proofread: korrekturlesen; pronunciation: aussprache; outage: ausfall störung
incident: vorfall störung; law: paragraf; review: rezensionen; cat: katze; holiday: feiertage
tracking: sendungsnummer; refund: geld_zurück; tip: trinkgeld; bill: abrechnung; wage: stundenlohn
visualize: visualisieren veranschaulichen; simulate: simulieren; optimize: optimieren
classify: klassifizieren einordnen; detect: erkennen erkenne; recognize: erkennen wiedererkennen
hide: verstecken ausblenden; expand: erweitern aufklappen; attach: anhängen beifügen
collect: sammeln einsammeln; donate: spenden; apply: anwenden bewerben; distribute: verteilen
clean: putzen säubern aufräumen; lend: leihen ausleihen; earn: verdienen
`;
