// Written by `npm run words` from 1909 tools of training/pairs.

/** Stems that occur in many tools of all kinds, by how much they say: from 0 to 1. */
export const FREQUENT_STEMS: readonly (readonly [number, string])[] = [
  [0.1, 'a and'],
  [0.2, 'an for get of or the to with'],
  [0.3, 'by creat from in list on return search'],
  [
    0.4,
    'add as at data date file find given imag it messag page place price queri record run start status text time user',
  ],
  [
    0.5,
    'account address against all between book browser call chang channel check code comment content convert countri current custom databas day deploy directori document email event execut extract filter generat git group into is issu item job keyword label languag line link locat log match model name new note number one open option order over pdf period photo plan point post project publish question rang rate read report repositori request result s schedul score send servic set show state such tabl tag task that titl topic track two type up updat upload url use valu video',
  ],
  [
    0.6,
    'about access activ ad alert amount analyz ani anoth answer app appli applic approv are area articl assign assigne audienc audio author avail back balanc base be block board branch build busi calcul calendar can cancel car card categori cell chart chat citi close cloud collect column command commit compani compar complet comput condit connect contact contain convers cost count currenc daili delet deliveri depend describ descript design destin detail detect devic domain download due each element employe end entiti entri environ error estim exist explain export fact featur fetch field first folder food format free full game give googl graph guest health histori home host hour how hub id incid incom index info inform ingredi input instanc invoic keep key knowledg last layout length level librari live local lookup make mani map mark meet member merg metadata metric month more move near network next node object onli other output owner packag path pay payment peopl per perform person phone pipelin play posit prioriti process product profil properti public pull random reason recent recipi recommend region releas remind remov render replac repli reserv respons retriev review role room row rule sale save scan schema script secret select seri sever share sheet short size so sourc space sql stage step stock stop store style subject submit subscrib suggest symbol take target tax team tell templat term test their through ticket transact transcript translat tree turn version view volum wait weather web what when which who without word work workflow write year you your zone',
  ],
  [
    0.7,
    'across action bank bill bodi budget click coordin distanc durat expens fee film flag form function github insert json market mean news off onlin paper past pod port quantiti queue restaur sign slack summari top trace travel trigger vault week weight',
  ],
];
