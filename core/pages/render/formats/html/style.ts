import type { Html } from './html.ts'

/*
 * One sheet for every page. Colours stand at the top, once for light and once for dark; a test holds each pair of text
 * and ground to the contrast of WCAG 2.2, level AA. A page may use no `style` attribute: its policy allows this sheet
 * alone, by the hash below, which a test holds to the text.
 */
export const style = `
:root{color-scheme:light dark;--ground:#fcfbf8;--sheet:#f4f2ec;--line:#d8d4c9;--ink:#1c1e21;--soft:#5a5d62;--link:#1f4e79;--create:#17683a;--update:#7a4f00;--delete:#a3211b;--other:#44567d;--added:#dff0e3;--removed:#f9e2df;--added-mark:#b5dfc0;--removed-mark:#f2bdb6}
@media screen and (prefers-color-scheme:dark){:root{--ground:#14171a;--sheet:#1d2125;--line:#373c42;--ink:#e8e5df;--soft:#a5a8ab;--link:#8fc0ee;--create:#7fd09b;--update:#e2b661;--delete:#ff9d91;--other:#a9bbe3;--added:#16301f;--removed:#3a1d1b;--added-mark:#23573a;--removed-mark:#6b2c27}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{max-width:76rem;margin:0 auto;padding:2.5rem 1.25rem 4rem;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1,h2{font-family:ui-serif,Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;font-weight:600;line-height:1.2;text-wrap:balance}
h1{margin:0;font-size:clamp(1.5rem,1.1rem + 2vw,2.4rem)}
h1 small,h2 small{font-weight:400;color:var(--soft)}
h1 small{display:block;margin-top:.35rem;font-size:.6em}
h2{margin:2.75rem 0 .75rem;font-size:1.35rem}
h3{display:inline;margin:0;font-size:1em;font-weight:600}
h2 small{font-size:.8em}
p{margin:.5rem 0}
code,samp,pre,ins,del,.rows,.sign{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875rem}
code,samp,ins,del{unicode-bidi:isolate}
h1 code{font-size:1em;font-family:inherit}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
small,.note,.words,.fold,footer,time,caption{color:var(--soft)}
.hidden,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{display:inline-block;margin-bottom:1rem}
.plumb{position:relative;padding-left:1.5rem}
.plumb::before{content:"";position:absolute;left:0;top:-2.5rem;bottom:.9rem;border-left:1px solid var(--soft)}
.plumb::after{content:"";position:absolute;left:-.4rem;bottom:.15rem;border:.42rem solid transparent;border-top:.85rem solid var(--tone,var(--soft));border-bottom:0}
.good{--tone:var(--create)}.change{--tone:var(--update)}.unknown{--tone:var(--delete)}
[role=note]{margin:1rem 0 0;padding:.6rem .9rem;border-left:3px solid var(--update);background:var(--sheet)}
[role=note] p{margin:0}
nav{margin-top:1.5rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:0;list-style-type:""}
.sign{display:inline-block;min-width:2.6em;font-weight:700;color:var(--tone,var(--soft));white-space:nowrap;text-align:center}
.create{--tone:var(--create)}.update{--tone:var(--update)}.delete{--tone:var(--delete)}.other{--tone:var(--other)}
table{width:100%;border-collapse:collapse}
table+table{margin-top:1.75rem}
caption{padding-bottom:.35rem;text-align:left;font-size:.875rem}
th,td{padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line);text-align:left;vertical-align:baseline;font-weight:400}
thead th{border:0;color:var(--soft);font-size:.875rem}
.counts td:first-child,.counts th:first-child{width:1%;text-align:right;white-space:nowrap}
.counts tbody th{width:1%;white-space:nowrap}
.counts tbody .sign{margin-right:.35rem}
.modules{width:auto;min-width:min(26rem,100%)}
.modules th{padding-right:2rem}
.modules td>span{display:inline-block;margin-right:1.25rem;white-space:nowrap}
.modules .sign{min-width:0;margin-right:.4rem}
.depth-1{padding-left:1.25rem}.depth-2{padding-left:2.5rem}.depth-3{padding-left:3.75rem}.depth-4{padding-left:5rem}.depth-5{padding-left:6.25rem}.depth-6{padding-left:7.5rem}.depth-7{padding-left:8.75rem}.depth-8{padding-left:10rem}
summary{cursor:pointer}
article{content-visibility:auto;contain-intrinsic-size:auto 2.75rem;border-top:1px solid var(--line)}
article:last-of-type{border-bottom:1px solid var(--line)}
:target{background:var(--sheet)}
.head{display:block;position:relative;padding:.55rem 1.75rem .55rem 3.25rem}
.head>.sign{position:absolute;left:.25rem;top:.65rem;min-width:2.6em}
summary.head{list-style:none}
summary.head:focus-visible{outline-offset:-2px}
summary.head::-webkit-details-marker{display:none}
summary.head::after{content:"";position:absolute;right:.6rem;top:1rem;width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 1.5px 1.5px 0;transform:rotate(45deg)}
[open]>summary.head::after{transform:rotate(225deg);top:1.2rem}
summary.head:hover{background:var(--sheet)}
.head h3 code{font-weight:600}
.words{margin-left:.35rem}
.words code{color:var(--ink)}
.words.warn,.warn{color:var(--update)}
details>.note{margin:0 0 .5rem 3.25rem;font-size:.875rem}
details>.rows{margin:.1rem 0 1rem 3.25rem}
.rows{display:grid;grid-template-columns:1.5em fit-content(30ch) minmax(0,1fr);margin:0;padding:0;list-style-type:"";line-height:1.6}
.rows li{display:grid;grid-column:1/-1;grid-template-columns:subgrid;align-items:baseline}
.rows li>b{color:var(--tone)}
.rows li>span{grid-column:2;padding-right:1.25em}
.rows li>div{grid-column:3}
.rows .fold>span{grid-column:2/-1;color:inherit}
.rows .rows,.rows .line>:last-child,.rows .group>span,.rows b+div,.rows div:first-child{grid-column:2/-1}
ins,del,samp{padding:.05em .2em;border-radius:2px;text-decoration:none;white-space:pre-wrap;-webkit-box-decoration-break:clone;box-decoration-break:clone}
ins{background:var(--added)}
del{background:var(--removed)}
.line>*{justify-self:start}
mark{color:inherit;background:none;font-weight:600;text-decoration:underline;text-decoration-thickness:1.5px;text-underline-offset:.2em}
ins mark{background:var(--added-mark)}
del mark{background:var(--removed-mark)}
.rows i{font-style:normal;color:var(--soft);white-space:nowrap}
.rows i::before{content:"# "}
.rows i.grave{color:var(--delete)}
.rows i.warn{color:var(--update)}
dl{margin:0}
dl>div{display:grid;grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:.1rem 1.5rem;padding:.45rem 0;border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 2.4rem}
dd{margin:0;color:var(--soft)}
dd code{color:var(--ink)}
.commands{margin:0;padding:0;list-style-type:"";counter-reset:command}
.commands>li{counter-increment:command;position:relative;border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 4rem}
.commands .head::before{content:counter(command) ".";position:absolute;left:0;width:2.4rem;text-align:right;color:var(--soft)}
.commands .words{display:block;margin-left:0}
pre{margin:.25rem 0 1rem;padding:.75rem 1rem;border-radius:3px;background:var(--sheet);white-space:pre-wrap}
.commands pre{margin-left:3.25rem}
footer{margin-top:3.5rem;padding-top:.75rem;border-top:1px solid var(--line);font-size:.875rem}
@media (max-width:40rem){body{padding:1.5rem 1rem 3rem}.plumb::before{top:-1.5rem}.head{padding-left:2.6rem}.head>.sign{left:-.1rem}.words{display:block;margin-left:0}details>.rows,details>.note,.commands pre{margin-left:.5rem}.rows{grid-template-columns:1.25em minmax(0,1fr)}.rows li>div{grid-column:2}.counts tbody tr{display:grid;grid-template-columns:auto 1fr;border-top:1px solid var(--line)}.counts tbody tr>*{border:0;width:auto;padding:.3rem .6rem .3rem 0;white-space:normal}.counts tbody td:last-child{grid-column:1/-1;padding-top:0}.counts thead,.modules thead{position:absolute;clip-path:inset(50%)}.modules tbody tr{display:block;border-top:1px solid var(--line)}.modules tbody tr>*{display:block;border:0}.modules td{padding-top:0}dl>div{grid-template-columns:minmax(0,1fr)}}
@media print{:root{color-scheme:light}body{max-width:none;padding:0 .5rem;font-size:10pt}nav,.skip{display:none}article,dl>div,.commands>li{content-visibility:visible}details::details-content{content-visibility:visible;display:block;block-size:auto}summary.head::after{display:none}tr,summary,.rows li,dl>div{break-inside:avoid-page}h2,summary{break-after:avoid}ins,del,mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}a{color:inherit}}
`

/** SHA-256 of the sheet, for the page's own policy. */
export const styleHash = 'sha256-SK3e9RFyl/rWICA0L6sZKWNNCqT4q2NwePx/t3RAkPU='

export const sheet: Html = { html: `<style>${style}</style>` }
