// Written by `npm run words` from 1947 tools of training/pairs.

/** Stems that occur in many tools of all kinds, by how much they say: from 0 to 1. */
export const FREQUENT_STEMS: readonly (readonly [number, string])[] = [
  [0.1, 'a and'],
  [0.2, 'an for get of or the to with'],
  [0.3, 'by creat from in list on return search'],
  [
    0.4,
    'ad as at chang dat fil find imag its messag pag plac pric queri record run send status text tim user',
  ],
  [
    0.5,
    'account add address all anoth answ between book cal channel check cod convert countri current custom data databas day docu employe event execut gener given group into is issu it item job languag lin link log model nam new not numb object one open order person photo plan point post project publish quest rang rat read report request result row s schedul scor servic set show start stat such tabl tag task that titl topic track two typ updat upload url valu video',
  ],
  [
    0.6,
    'about activiti against alert amount analyz any app appli approv archiv are area articl ask assign assigne audienc audio availabl back balanc be block board branch build calcul calendar can cancel car card categori cel chart chat citi clos collect column comment commit compani compar complet comput condit connect contact contain content convers cost count currenci dai daili delet deliveri deploi describ descript design destin detail detect devic directori domain download draw due e each email end entiti environ error estim exist expens explain export extract fact featur fetch field filt first flag flight fold food format fre ful gam giv guest head health histori hom host hour how incident incom index info inform ingredient insert instanc invoic join keep key keyword label last layout length let level liv local locat lookup mail mak mani mark match mean meet memb metric month mor mov near network next nod off option optional other out output over owner packag past path pay payment pdf peopl per period phon pictur plai posit prioriti product profil properti public put queu random reason recent recipient recommend reg releas remind remov rend replac repli repositori reserv respons retriev review rol room sal sav scan script secret select seri sever shar sheet ship short sign siz so sourc spac sql stag step stock stop stor styl subject submit subscrib suggest symbol tak target tax team tel templ term test their through ticket transact transl turn up use vers volum wait weath web what when wher which who word work workflow writ year you your zon',
  ],
  [
    0.7,
    'access activ append applic appoint attach auth bank bil budget cloud command dependenci earli edit element fee film follow form googl graph input look machin map market merg news pipelin port quantiti restaurant rul schema shop support temperatur top transcript usag view virtu week weight wheth win without',
  ],
];
