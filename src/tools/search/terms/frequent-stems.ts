// Written by `npm run words` from 1947 tools of training/pairs.

/** Stems that occur in many tools of all kinds, by how much they say: from 0 to 1. */
export const FREQUENT_STEMS: readonly (readonly [number, string])[] = [
  [0.1, 'a and'],
  [0.2, 'an for get of or the to with'],
  [0.3, 'by creat from in list on return search'],
  [
    0.4,
    'add as at chang date file find imag it messag page place price queri record run status text time user',
  ],
  [
    0.5,
    'account address all anoth answer between book call channel check code convert countri current custom data databas day document employe event execut filter generat given group into is issu item job languag line link log model name new note number object one open option order period person photo plan point post project publish question rang rate read report request result row s schedul score send servic set show start state such tabl tag task that titl topic track two type updat upload url use valu video',
  ],
  [
    0.6,
    'about activ ad against alert amount analyz ani app appli applic approv archiv are area articl ask assign assigne audienc audio author avail back balanc be block board branch build calcul calendar can cancel car card categori cell chart chat citi close collect column comment commit compani compar complet comput condit connect contact contain content convers cost count currenc daili delet deliveri depend deploy describ descript design destin detail detect devic directori domain download draw due e each email end entiti environ error estim exist expens explain export extract fact featur fetch field first flag flight folder food format free full game give guest health histori home host hour how id incid incom index info inform ingredi insert instanc invoic join keep key keyword label last layout length letter level live local locat lookup mail make mani mark match mean meet member metric month more move near network next node off other out output over owner packag past path pay payment pdf peopl per phone pictur play posit prioriti product profil properti public put random reason recent recipi recommend region releas remind remov render replac repli repositori reserv respons retriev review role room sale save scan script secret select seri sever share sheet short sign size so sourc space sql stage step stock stop store style subject submit subscrib suggest support symbol take target tax team tell templat term test their through ticket transact translat turn up version volum wait weather web what when where which who word work workflow write year you your zone',
  ],
  [
    0.7,
    'access append appoint attach bank bill budget cloud command earlier element fee film follow googl graph input look machin map market merg news pipelin quantiti queue restaur roll rule schema shop temperatur top transcript trigger usag virtual week weight whether without',
  ],
];
