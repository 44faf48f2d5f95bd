/**
 * French. Each entry is an English word and the French words for it; `_` joins the words of a
 * phrase, and `-` stands before words that say nothing about a tool.
 */
export const FRENCH = `
-: le la les l un une des du de d au aux à a et ou où mais donc or ni car que qu qui quoi dont
-: quel quelle quels quelles lequel laquelle comment quand pourquoi combien je j tu t il elle on
-: nous vous ils elles me m te se s lui leur leurs moi toi soi eux mon ma mes ton ta tes son sa
-: ses notre nos votre vos y en ne n pas plus moins très trop ce c cet cette ces ceci cela ça
-: celui celle ceux celles dans par pour sur sous avec sans chez vers entre depuis pendant avant
-: après contre jusque jusqu dès lors selon parmi hors est sont suis es sommes êtes était être été
-: sera soit ai as avons avez ont avoir avait aurait peux peut pouvez peuvent pouvoir pourrais
-: pourriez pourrait veux veut voulez vouloir voudrais voudrait voudrions souhaite souhaiterais
-: aimerais aimerait dois doit devez faut besoin faire fais fait faites faisons svp s_il_te_plaît
-: s_il_vous_plaît plaît merci bonjour salut aide aider aidez aidez_moi donne donner donnez dis
-: dire dites est_ce si comme aussi tout toute tous toutes autre autres chaque quelque quelques
-: certain certaine certains certaines même ici là alors puis ensuite encore déjà seulement oui
-: non il_y_a rien personne quelqu chose choses peu beaucoup afin grâce concernant propos nommé
-: nommée appelé appelée via possible permet permettre savoir sais connaître voici voilà va vais
-: allons aller tel telle ainsi donné donnée peut_être vraiment juste

create: créer crée créez créé créée création générer établir rédiger; make: fabriquer réaliser
new: nouveau nouvelle nouveaux nouvelles nouvel; add: ajouter ajoute ajoutez ajout rajouter
delete: supprimer supprime suppression effacer efface; remove: enlever retirer supprimer ôter
clear: vider nettoyer vide; cancel: annuler annule annulation résilier
edit: éditer édite modifier; change: changer changement modifier
modify: modifier modifie modification
update: mettre_à_jour mets_à_jour mise_à_jour mettez_à_jour mis_à_jour actualiser
replace: remplacer remplace; rename: renommer renomme; list: lister liste énumérer
show: montrer montre afficher affiche montrez; display: afficher affichage affiche
view: voir visualiser consulter vue regarder vois
get: obtenir obtiens récupérer récupère recevoir avoir_accès; fetch: récupérer chercher
retrieve: récupérer récupère retrouver; read: lire lis lisez lu lecture
write: écrire écris écrivez écrit rédiger rédige
search: chercher recherche rechercher cherche recherches
find: trouver trouve trouvez retrouver chercher; look: regarder
check: vérifier vérifie contrôler consulter vérification; verify: vérifier vérifie
validate: valider valide; send: envoyer envoie envoyez envoi expédier transmettre
receive: recevoir reçois reçu; reply: répondre réponds répondez; answer: réponse répondre
forward: transférer faire_suivre; post: publier poster publication; publish: publier publie
book: réserver réserve livre livres; reserve: réserver réserve; reservation: réservation
schedule: planifier planifie programmer horaire horaires emploi_du_temps planning
plan: planifier planification prévoir; share: partager partage partagez partagé action
invite: inviter invitation; join: rejoindre joindre; leave: quitter partir
translate: traduire traduis traduisez traduit; translation: traduction
convert: convertir convertis conversion; transform: transformer
compare: comparer comparaison comparatif; calculate: calculer calcule calcul; compute: calculer
count: compter compte nombre décompte; sum: somme additionner; sort: trier trie tri classer
filter: filtrer filtre; group: grouper groupe regrouper
upload: téléverser téléverse uploader mettre_en_ligne envoyer
download: télécharger télécharge téléchargement; import: importer importe
export: exporter exporte; save: enregistrer enregistre sauvegarder sauver
store: stocker conserver magasin boutique; load: charger charge
open: ouvrir ouvre ouvrez ouvert ouverte ouverts ouvertes
close: fermer ferme fermé fermée fermeture clôturer
start: démarrer démarre commencer lancer début; stop: arrêter arrête stopper; begin: commencer
end: terminer fin finir; run: exécuter exécute lancer courir course; execute: exécuter exécution
launch: lancer lance; restart: redémarrer redémarre; pause: mettre_en_pause
resume: reprendre cv curriculum; play: jouer joue lire lecture mettre
record: enregistrer enregistrement; move: déplacer déplace bouger; copy: copier copie
duplicate: dupliquer doublon doublons; paste: coller; cut: couper
merge: fusionner fusionne fusion; combine: combiner; split: diviser scinder séparer
extract: extraire extrais extraction; insert: insérer insère; append: ajouter
deploy: déployer déploie déploiement; build: construire construis compiler compilation
install: installer installe; uninstall: désinstaller
configure: configurer configuration paramétrer; set: définir définis régler fixer
reset: réinitialiser réinitialise; enable: activer active; disable: désactiver désactive
turn: allumer allume éteindre éteins tourner; switch: basculer changer interrupteur commutateur
lock: verrouiller verrou; unlock: déverrouiller; block: bloquer bloque; allow: autoriser permettre
grant: accorder; revoke: révoquer; approve: approuver approuve approbation
reject: rejeter refuser; accept: accepter; confirm: confirmer confirme; submit: soumettre soumets
request: demander demande requête; ask: demander poser; buy: acheter achète achat
purchase: achat acheter; sell: vendre vends vente ventes; pay: payer paie paye régler
order: commande commander commandes; refund: rembourser remboursement; charge: facturer débiter
transfer: transférer transfert virement; deposit: déposer dépôt; withdraw: retirer retrait
subscribe: abonner s_abonner; subscription: abonnement; unsubscribe: désabonner désinscrire
follow: suivre; track: suivre suivi suis pister; monitor: surveiller surveillance
watch: regarder surveiller observer; notify: notifier prévenir avertir
notification: notifications avis; remind: rappeler rappelle; reminder: rappel rappels
alert: alerte alerter; warn: avertir; assign: assigner attribuer affecter assigne
label: étiquette étiqueter libellé; tag: étiquette; mark: marquer marque; pin: épingler
comment: commentaire commenter; review: avis revue réviser examiner relecture critique
rate: taux noter évaluer tarif; vote: voter; like: aimer; analyze: analyser analyse
analysis: analyse; summarize: résumer résume; summary: résumé synthèse
explain: expliquer explique explication; describe: décrire décris; generate: générer génère
draw: dessiner dessine dessin; design: concevoir conception; paint: peindre
format: formater mise_en_forme; print: imprimer imprime impression; scan: scanner numériser
parse: analyser; encode: encoder; decode: décoder; encrypt: chiffrer crypter; decrypt: déchiffrer
compress: compresser; unzip: décompresser; resize: redimensionner; crop: recadrer rogner
rotate: pivoter tourner; click: cliquer clic; scroll: défiler; type: saisir taper
navigate: naviguer; visit: visiter visite; browse: parcourir naviguer; crawl: explorer
connect: connecter; disconnect: déconnecter; connection: connexion; link: lier lien liens
call: appeler appelle appel appels; talk: parler discuter; speak: parler parle
listen: écouter écoute; hear: entendre; learn: apprendre; teach: enseigner
register: inscrire inscription; log: journal journaux; login: se_connecter identification
logout: se_déconnecter déconnexion; sign: signer signature; backup: sauvegarde sauvegarder
restore: restaurer restaure; recover: récupérer; undo: annuler défaire; revert: revenir rétablir
archive: archiver; sync: synchroniser synchronise; commit: valider validation; clone: cloner
push: pousser; pull: tirer; fix: corriger réparer corrige; solve: résoudre résous
resolve: résoudre; debug: déboguer débogage; test: tester essayer essai; measure: mesurer mesure
estimate: estimer estimation; predict: prédire prédiction prévoir
recommend: recommander recommande conseiller; recommendation: recommandation
suggest: suggérer suggère proposer propose; suggestion: suggestions proposition
select: sélectionner choisir sélection; choose: choisir choisis; pick: choisir
manage: gérer gère gestion; organize: organiser organise ranger; control: contrôler contrôle
use: utiliser utilise; wait: attendre; finish: terminer; complete: compléter complet achever
upgrade: améliorer; query: requête interroger; drop: abandonner; travel: voyager voyage
trip: voyage séjour; drive: conduire; fly: voler; walk: marcher promenade; eat: manger
cook: cuisiner cuisine; file: fichier; folder: dossier; directory: répertoire annuaire
path: chemin; text: texte; word: mot mots; sentence: phrase; paragraph: paragraphe; line: ligne
note: noter notes; attachment: pièce_jointe; message: messages
email: courriel mail courrier_électronique e_mail mél mails; mail: courrier lettre
inbox: boîte_de_réception boîte_mail; draft: brouillon; recipient: destinataire
sender: expéditeur; subject: objet sujet; thread: fil; chat: discuter discussion
channel: canal canaux salon; reaction: réaction; mention: mentionner; calendar: calendrier agenda
event: événement évènement; meeting: réunion rendez_vous; appointment: rendez_vous rdv
time: heure temps; timezone: fuseau_horaire; day: jour journée; week: semaine; month: mois
year: année ans; hour: heure; second: seconde; today: aujourd_hui; tomorrow: demain
yesterday: hier; weekend: week_end; morning: matin; evening: soir; night: nuit
birthday: anniversaire; holiday: férié fête; vacation: vacances congé congés
deadline: échéance date_limite délai; duration: durée; availability: disponibilité
available: disponible; free: libre gratuit gratuite; busy: occupé; task: tâche
todo: tâche à_faire to_do; project: projet; milestone: jalon; goal: objectif but; board: tableau
card: carte; issue: problème incident anomalie; ticket: billet incident; bug: bogue anomalie
error: erreur; branch: branche; repository: dépôt référentiel
pull request: demande_de_fusion demande_de_tirage; release: livraison sortie parution
package: paquet colis; workflow: flux_de_travail flux; job: emploi travail tâche
function: fonction; program: programme; application: candidature; app: application appli
software: logiciel; server: serveur; cluster: grappe; container: conteneur
environment: environnement; secret: secrets; key: clé clef; token: jeton; password: mot_de_passe
user: utilisateur utilisatrice; account: compte; profile: profil; role: rôle
permission: autorisation droit droits; access: accès accéder; security: sécurité
owner: propriétaire; member: membre; team: équipe; organization: organisation
company: entreprise société; employee: employé salarié; manager: responsable gestionnaire
person: personne; people: personnes gens; friend: ami amie; customer: client cliente clients
lead: prospect; deal: affaire; campaign: campagne; address: adresse; phone: téléphone portable
phone number: numéro_de_téléphone; number: numéro nombre; name: nom prénom; title: titre
id: identifiant; status: statut état; state: état; category: catégorie; property: propriété
value: valeur; table: tableau; row: ligne rangée; column: colonne; cell: cellule
spreadsheet: feuille_de_calcul tableur; sheet: feuille; database: base_de_données bdd
data: données; dataset: jeu_de_données; schema: schéma; field: champ; item: élément
form: formulaire; template: modèle gabarit; survey: sondage enquête; report: rapport compte_rendu
chart: graphique diagramme; graph: graphe graphique; diagram: diagramme schéma
statistics: statistiques; metric: métrique indicateur; dashboard: tableau_de_bord
invoice: facture facturer facturation; receipt: reçu ticket_de_caisse; payment: paiement règlement
price: prix; cost: coût coûter coûte; amount: montant; tax: impôt taxe tva
discount: remise réduction rabais; coupon: bon_de_réduction; bank: banque; balance: solde
transaction: opération; credit card: carte_de_crédit carte_bancaire; credit: crédit
loan: prêt emprunt; money: argent; currency: devise monnaie; exchange rate: taux_de_change
expense: dépense frais; income: revenu; revenue: revenus chiffre_d_affaires; stock: bourse actions
share price: cours_de_l_action cours_de_bourse; market: marché; portfolio: portefeuille
crypto: cryptomonnaie; interest: intérêt; insurance: assurance; contract: contrat
quote: devis citation; offer: offre offrir; product: produit; cart: panier; shop: magasin boutique
shopping: courses achats; inventory: inventaire; warehouse: entrepôt
shipping: expédition livraison; shipment: envoi colis; delivery: livraison; supplier: fournisseur
weather: météo temps; forecast: prévision prévisions; temperature: température
rain: pluie pleuvoir pleut; snow: neige; wind: vent; sun: soleil; climate: climat
air quality: qualité_de_l_air; earthquake: séisme tremblement_de_terre; humidity: humidité
flight: vol vols avion; airport: aéroport; airline: compagnie_aérienne; hotel: hôtel hébergement
room: chambre pièce salle; accommodation: hébergement logement; train: trains; station: gare
bus: autobus autocar; car: voiture; vehicle: véhicule; rental: location; bike: vélo bicyclette
ship: bateau navire; parking: stationnement garer; map: plan carte
route: itinéraire trajet chemin; direction: directions itinéraire; location: lieu emplacement
place: lieu endroit; nearby: proche proximité près; city: ville; country: pays; region: région
world: monde; street: rue; house: maison; home: domicile accueil; apartment: appartement
building: bâtiment immeuble; rent: louer loyer; traffic: trafic circulation embouteillage
departure: départ; arrival: arrivée; passport: passeport; tourist: touriste tourisme
landmark: monument; museum: musée; recipe: recette; food: nourriture aliment; meal: repas
dish: plat; drink: boisson boire; cocktail: cocktails; calorie: calories; diet: régime
breakfast: petit_déjeuner; lunch: déjeuner; dinner: dîner; wine: vin; coffee: café; image: images
picture: photo; photo: photographie photos; video: vidéo; music: musique; song: chanson morceau
artist: artiste; playlist: liste_de_lecture; lyrics: paroles; movie: film; cinema: ciné
series: série; actor: acteur actrice; podcast: balado; voice: voix; speech: parole discours
sound: son_audio sons; camera: caméra appareil_photo; screen: écran
screenshot: capture capture_d_écran; background: arrière_plan fond; color: couleur; font: police
icon: icône; news: actualités actualité nouvelles infos; headline: titres; author: auteur
library: bibliothèque; paper: papier; research: recherche; study: étude étudier; poem: poème
story: histoire récit; history: historique histoire; dictionary: dictionnaire
definition: définition signification définir; synonym: synonyme; language: langue langage
english: anglais anglaise; german: allemand; french: français; spanish: espagnol; chinese: chinois
grammar: grammaire; spelling: orthographe; subtitle: soustitre sous_titre
transcript: transcription; transcribe: transcrire; website: site_web site_internet
web: internet toile; domain: domaine; browser: navigateur; network: réseau réseaux; cloud: nuage
button: bouton; search engine: moteur_de_recherche; result: résultat; keyword: mot_clé
game: jeu jeux partie; player: joueur; score: résultat; league: ligue; tournament: tournoi
joke: blague; quiz: questionnaire; fact: faits; random: aléatoire hasard; lottery: loterie
health: santé; doctor: médecin docteur; hospital: hôpital; medicine: médicament médecine
drug: médicament drogue; symptom: symptôme; disease: maladie; exercise: exercice
workout: entraînement; sleep: sommeil dormir; weight: poids; heart: cœur; step: pas_à_pas étape
body: corps; school: école; course: cours; lesson: leçon; student: étudiant élève
teacher: professeur enseignant; exam: examen; university: université; education: éducation
candidate: candidat; salary: salaire; interview: entretien entrevue; device: appareil
light: lumière lampe; door: porte; window: fenêtre; heating: chauffage; sensor: capteur
alarm: alarme réveil; timer: minuteur minuterie; clock: horloge; battery: batterie pile
energy: énergie; power: puissance électricité; water: eau; computer: ordinateur; memory: mémoire
storage: stockage; disk: disque; math: mathématiques maths; equation: équation; formula: formule
unit: unité; length: longueur; size: taille; area: superficie zone; average: moyenne
percent: pourcentage; trend: tendance; model: modèle; knowledge: connaissance
information: informations renseignement; detail: détail; idea: idée; thought: pensée
law: loi lois; legal: juridique légal; court: tribunal; government: gouvernement
politics: politique; election: élection; patent: brevet; dog: chien; cat: chats; plant: plante
tree: arbre; flower: fleur; planet: planète; space: espace; star: étoile; moon: lune
river: fleuve rivière; sea: mer; beach: plage; mountain: montagne; park: parc; child: enfant
man: homme; woman: femme; family: famille; baby: bébé; wedding: mariage; gift: cadeau
party: fête soirée; theater: théâtre; exhibition: exposition; conference: conférence
presentation: présentation; slide: diapositive diapo; webinar: webinaire; speaker: intervenant
guest: invité; attendee: participant; setting: paramètre réglage; feature: fonctionnalité
rule: règle; policy: politique stratégie; trigger: déclencheur déclencher
process: processus traiter traitement; support: assistance soutien; help: aide
feedback: retour commentaires; complaint: plainte réclamation; warranty: garantie; part: partie
level: niveau; priority: priorité; daily: quotidien quotidienne journalier; weekly: hebdomadaire
monthly: mensuel mensuelle; yearly: annuel annuelle
recent: récent récente récemment derniers dernières dernier dernière
latest: dernier dernière dernières derniers; last: dernier dernière
next: prochain prochaine suivant suivante; previous: précédent précédente
upcoming: à_venir prochains prochaines; current: actuel actuelle actuellement; now: maintenant
old: vieux ancien ancienne; past: passé passée; future: futur; first: premier première
closed: fermé fermée; unread: non_lu non_lus non_lue non_lues; shared: partagé partagée
private: privé privée; public: publique; global: mondial; active: actif
pending: en_attente attente; overdue: en_retard retard; due: échu; done: terminé
important: importante; favorite: favori préféré; popular: populaire; best: meilleur meilleure
top: meilleurs; cheap: bon_marché pas_cher abordable; expensive: cher; high: haut haute élevé
low: bas basse faible; large: grand grande gros; big: grand grosse; small: petit petite
long: longue; short: court courte; fast: rapide vite; slow: lent; hot: chaud; cold: froid
empty: vide; full: plein; missing: manquant manque; different: différent; difference: différence
same: identique; similar: similaire semblable; related: lié; specific: spécifique précis
multiple: plusieurs; several: plusieurs; whole: entier; automatic: automatique automatiquement
online: en_ligne; live: en_direct; red: rouge; green: vert; blue: bleu; black: noir; white: blanc
yellow: jaune
sale: vente ventes

win: gagner gagné gagne gagnant; population: habitants; payroll: fiche_de_paie paie
return: retourner renvoyer; time: quelle_heure; wishlist: liste_de_souhaits
sunrise: lever_du_soleil; sunset: coucher_du_soleil; coordinates: coordonnées
fuel: carburant essence; charging: recharge borne; sentiment: humeur
vulnerability: vulnérabilité faille; threat: menace; certificate: certificat attestation
performance: performances; usage: utilisation consommation; limit: limite; queue: file_d_attente
license: licence; topic: thème; follower: abonnés; barcode: code_barres; qr code: code_qr
metadata: métadonnées; proofread: corriger relire; pronunciation: prononciation; outage: panne
law: législation; review: évaluation; cat: chat chats chatte; holiday: jours_fériés
tracking: numéro_de_suivi; refund: remboursement; tip: pourboire; bill: addition; wage: paye
visualize: visualiser; simulate: simuler; optimize: optimiser; classify: classifier
detect: détecter; recognize: reconnaître; hide: cacher masquer; expand: étendre; attach: joindre
collect: collecter; donate: donner_un_don faire_un_don; apply: appliquer postuler
distribute: distribuer; clean: nettoyer; lend: prêter emprunter; earn: gagner
`;
