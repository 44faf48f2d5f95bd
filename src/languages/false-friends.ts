/**
 * English words that no table translates to, but that another language has as well or that look
 * like a form of one of its words: `kind` in German, `command` in French.
 */
export const FALSE_FRIENDS = `
cache limitation simulation simulator commander authentication interface binary automatic automake distributor detector classifier library collector application
modulo trie primer compilation ligature uploader discourse bad regen locae typer sponsors
abandon accord activate activation actual advantage affect agenda alter alternate analyse
analyses angle angler anyone apply apt archiver arrive art assistance assurance auto
autocomplete autoload autosave bald bar base basis bat bay bin board bog bogus bold brief
brutal calculation caller calm camp capable captive capture car cargo case cent char
charles chart checker checkin chef china chose class classic clause clinic clip coin cold
collation combination come command commence committee committer commune compile compiler
concert concrete configuration confirmation consult consume contain content controller
conversion converter corner corp count courier court creation curse dame deal decision deck
decoder decompress define demand dense depart depend deposit depot deviation dice die
dieter differ dim dime din dire disc discussion divide doc dot double due earliest
elaborate element eliminate employer encoder enter enumerate enumeration era essence
evaluation even ever everything examination examine execution explicit explore explorer
exporter extra extraction fabric face fall familiar far fast film final finally finder fine
finer finish firm fixer flag flank flux fort fraction frag france free freely furnish
general generation gift gin grab gradient graft grand gratis gross guard guide gut habit
hall handle handler handy hat hay hell hold hole homepage host human identification
identifier idiom image immediate implement implementer import importation importer incident
include incorporate indicate indices info inform inner input inspect install installation
installer intermediate intern internet investigate jars journal just kind lamp lance land
lane lang large larger last lease lecture leg legend lentil liberal lie lied linear list
listener local locale localize locate loose lose loss lost lump main male man mandate
manifest manner manufacturer mapper marc march marco mare marine marker mars mass masse
mate maxima media median menu mere mess meta method microphone mine minor minus mist mode
model modification modifier modular module mole monster moral more motor mule muse museum
native natural net noble non nose notice nouveau numeric numerous nun nut object
observation observe offer operation opinion original outer pack packet pain pan panel park
parker parser part participation pass paste path pause pays permit persona pest phrase
piece pin pivot plane planning plant plat plate plot plus poison police port portable
porter position possible post postprocess pour precede precise predicate prefer prefers
present preserve press pressure prime principal printer private privilege probe problem
profiler programmer propose publication push quick quit quite range rat real redact redo
reduction reel refactor refuse regard regenerate regulate remain repair repo reporter
reproduce resolver respond rest retire revise revision rich river rock rodent roll romance
rose rot round sage saint salad sale salon sane sang sans scanner secretary see selection
sell sendmail sens separate separation serve set signature significant simple sin slot
solar sold sole some something son sort space sport spring stale stamp stand star starter
stat statute step stern still stone strand strategy structure subject such suite summer
support suppress suppression surface symbol tag talent tape tarot taste team telephone temp
temper tenant tend term terminate termination test tester theme tier tire toll ton tone
tour trait transcription transformation transport tri tries true tue type ultimate
understand unique usa use utilize vain valid validation van vary vaster vent ventilate
verification verifier version vest villa visual visualize visualizer vital vol wagon wand
war warner wars weak weather wolf wonder zone
`;
