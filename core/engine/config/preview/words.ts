import { diagnostics, said } from '../../values/diagnose.ts'

const instead = 'write ${branch}, ${slug}, ${key} or ${value}; write $${ for a plain ${'

export const say = diagnostics({
  noOverlay: (file: string) =>
    said(
      `there is no overlay ${file}`,
      'write it: a preview needs other names than the workspace, for example rename: [{ address: "*", attribute: name, to: "${slug}-${value}" }]',
    ),
  otherOverlayType: (file: string, extensions: readonly string[]) =>
    said(`${file} is none of YAML, JSON and Jsonnet`, `use a file that ends in ${extensions.join(', ')}`),
  noMapping: () => said('an overlay must be a mapping of keys to values', 'write rename, variables or providers'),
  longBase: (name: string, most: number) =>
    said(`the name ${name} is too long for a preview`, `use at most ${most} characters: the branch is added to it`),
  noProvider: (alias: string, fix: string) => said(`there is no provider "${alias}"`, fix),
  noWord: (text: string) => said(`${text} means nothing in an overlay`, instead),
  noValue: (where: string) =>
    said(`\${value} has no value: the workspace has none for ${where}`, 'write the value out'),
  valueNotText: (where: string) =>
    said(`the value of ${where} is not text, so it cannot be part of one`, 'write the value out'),
  renamesNothing: (address: string, attribute: string) =>
    said(
      `no resource ${address} with a written attribute "${attribute}" exists: nothing is renamed`,
      'correct the address and the attribute, or remove the entry',
    ),
  renamesTwice: (address: string, attribute: string) =>
    said(`another entry renames "${attribute}" of ${address} already`, 'let one entry cover each resource'),
})

export const overlayText = 'What differs in a preview of a Plumbline workspace: plumbline.preview.yaml.'
