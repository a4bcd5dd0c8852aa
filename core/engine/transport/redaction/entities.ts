/**
 * Names of characters in HTML: those of ASCII, and those of the alphabets and signs of passwords.
 * https://html.spec.whatwg.org/multipage/named-characters.html
 */
const ascii: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
  tab: '\t',
  newline: '\n',
}

/** By the first character: the names of it and of those that follow it; `-` is one without a name. */
const blocks: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    'nbsp,iexcl,cent,pound,curren,yen,brvbar,sect,uml,copy,ordf,laquo,not,shy,reg,macr,deg,plusmn,sup2,sup3,acute,micro,para,middot,cedil,sup1,ordm,raquo,frac14,frac12,frac34,iquest,Agrave,Aacute,Acirc,Atilde,Auml,Aring,AElig,Ccedil,Egrave,Eacute,Ecirc,Euml,Igrave,Iacute,Icirc,Iuml,ETH,Ntilde,Ograve,Oacute,Ocirc,Otilde,Ouml,times,Oslash,Ugrave,Uacute,Ucirc,Uuml,Yacute,THORN,szlig,agrave,aacute,acirc,atilde,auml,aring,aelig,ccedil,egrave,eacute,ecirc,euml,igrave,iacute,icirc,iuml,eth,ntilde,ograve,oacute,ocirc,otilde,ouml,divide,oslash,ugrave,uacute,ucirc,uuml,yacute,thorn,yuml',
  ],
  [
    0x100,
    'Amacr,amacr,Abreve,abreve,Aogon,aogon,Cacute,cacute,Ccirc,ccirc,Cdot,cdot,Ccaron,ccaron,Dcaron,dcaron,Dstrok,dstrok,Emacr,emacr,-,-,Edot,edot,Eogon,eogon,Ecaron,ecaron,Gcirc,gcirc,Gbreve,gbreve,Gdot,gdot,Gcedil,-,Hcirc,hcirc,Hstrok,hstrok,Itilde,itilde,Imacr,imacr,-,-,Iogon,iogon,Idot,imath,IJlig,ijlig,Jcirc,jcirc,Kcedil,kcedil,kgreen,Lacute,lacute,Lcedil,lcedil,Lcaron,lcaron,Lmidot,lmidot,Lstrok,lstrok,Nacute,nacute,Ncedil,ncedil,Ncaron,ncaron,napos,ENG,eng,Omacr,omacr,-,-,Odblac,odblac,OElig,oelig,Racute,racute,Rcedil,rcedil,Rcaron,rcaron,Sacute,sacute,Scirc,scirc,Scedil,scedil,Scaron,scaron,Tcedil,tcedil,Tcaron,tcaron,Tstrok,tstrok,Utilde,utilde,Umacr,umacr,Ubreve,ubreve,Uring,uring,Udblac,udblac,Uogon,uogon,Wcirc,wcirc,Ycirc,ycirc,Yuml,Zacute,zacute,Zdot,zdot,Zcaron,zcaron',
  ],
  [
    0x391,
    'Alpha,Beta,Gamma,Delta,Epsilon,Zeta,Eta,Theta,Iota,Kappa,Lambda,Mu,Nu,Xi,Omicron,Pi,Rho,-,Sigma,Tau,Upsilon,Phi,Chi,Psi,Omega,-,-,-,-,-,-,-,alpha,beta,gamma,delta,epsilon,zeta,eta,theta,iota,kappa,lambda,mu,nu,xi,omicron,pi,rho,sigmaf,sigma,tau,upsilon,phi,chi,psi,omega',
  ],
  [
    0x401,
    'IOcy,DJcy,GJcy,Jukcy,DScy,Iukcy,YIcy,Jsercy,LJcy,NJcy,TSHcy,KJcy,-,Ubrcy,DZcy,Acy,Bcy,Vcy,Gcy,Dcy,IEcy,ZHcy,Zcy,Icy,Jcy,Kcy,Lcy,Mcy,Ncy,Ocy,Pcy,Rcy,Scy,Tcy,Ucy,Fcy,KHcy,TScy,CHcy,SHcy,SHCHcy,HARDcy,Ycy,SOFTcy,Ecy,YUcy,YAcy,acy,bcy,vcy,gcy,dcy,iecy,zhcy,zcy,icy,jcy,kcy,lcy,mcy,ncy,ocy,pcy,rcy,scy,tcy,ucy,fcy,khcy,tscy,chcy,shcy,shchcy,hardcy,ycy,softcy,ecy,yucy,yacy,-,iocy,djcy,gjcy,jukcy,dscy,iukcy,yicy,jsercy,ljcy,njcy,tshcy,kjcy,-,ubrcy,dzcy',
  ],
  [
    0x2002,
    'ensp,emsp,emsp13,emsp14,-,numsp,puncsp,thinsp,hairsp,ZeroWidthSpace,zwnj,zwj,lrm,rlm,dash,-,-,ndash,mdash,horbar,Vert,-,lsquo,rsquo,sbquo,-,ldquo,rdquo,bdquo,-,dagger,Dagger,bull,-,-,nldr,hellip,-,-,-,-,-,-,-,-,-,permil,pertenk,prime,Prime,tprime,bprime,-,-,-,lsaquo,rsaquo',
  ],
  [0x20ac, 'euro'],
  [0x2122, 'trade'],
]

const named: ReadonlyMap<string, string> = new Map(
  blocks.flatMap(([first, names]) =>
    names.split(',').map((name, n): [string, string] => [name, String.fromCharCode(first + n)]),
  ),
)

/** Case counts, but for the names of ASCII characters. */
export const characterNamed = (name: string): string | undefined => {
  const small = name.toLowerCase()
  return named.get(name) ?? (Object.hasOwn(ascii, small) ? ascii[small] : undefined)
}

/** The names that browsers read without a semicolon: those of Latin-1, and four of ASCII. */
const bare = new Set([...(blocks[0]?.[1].split(',') ?? []), 'amp', 'lt', 'gt', 'quot', 'AMP', 'LT', 'GT', 'QUOT'])
const longestBare = 6

/** The longest of them with which a text begins. */
export const bareNameIn = (text: string): string | undefined => {
  for (let length = Math.min(longestBare, text.length); length >= 2; length -= 1)
    if (bare.has(text.slice(0, length))) return text.slice(0, length)
  return undefined
}

/** What browsers show for the numbers from 128 to 159, which are the bytes of windows-1252. */
export const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
