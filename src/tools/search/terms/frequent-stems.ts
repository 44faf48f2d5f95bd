// Written by `npm run words` from 1523 tools of training/pairs.

/** Stems that occur in many tools of all kinds, by how much they say: from 0 to 1. */
export const FREQUENT_STEMS: readonly (readonly [number, string])[] = [
  [0.1, 'a and'],
  [0.2, 'an for get of or the to with'],
  [0.3, 'by creat from in list on return search'],
  [
    0.4,
    'add as at data date file find given imag it messag name page place price queri run start status text time user',
  ],
  [
    0.5,
    'account address all between book call chang check code comment countri current custom day descript document email employe event execut field filter generat git group into is issu item job keyword label languag line link log match model new note number one open option order period person photo plan point post project publish question rang rate read record report request result s schedul score send set show state such tabl tag task that titl topic track two type up updat upload url use valu video',
  ],
  [
    0.6,
    'about access activ ad against alert amount ani anoth answer app appli applic approv are area articl assign audio author avail back balanc base be block board bodi branch browser build calcul calendar can cancel car card categori cell channel chart chat citi close collect column command commit compani compar complet comput condit connect contact contain content convers convert cost count daili databas delet deliveri deploy design destin detail detect devic directori domain download due each element end entiti entri environ error estim exist explain export extract fact fee film first folder food format free full game give graph guest health histori home host hour how id incom index info ingredi input invoic keep key knowledg last layout length level live local locat lookup make mani map mark market mean meet member metadata metric month more move near network next node object onli onlin other output over owner packag path pay payment pdf peopl per phone posit product profil properti public pull random reason recent recipi recommend region releas remind remov render replac repli repositori reserv respons retriev review room row rule sale save script secret seri servic sever share sheet short sign size so sourc sql stage step stock stop store style subject submit subscrib suggest symbol take target tax team tell templat term test their through ticket transact transcript translat tree turn version view volum wait web week weight what when which without word work write year you your zone',
  ],
];
