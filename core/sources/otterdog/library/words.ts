/* Texts of the library that are written in Jsonnet. */

export const headText = `// The functions that organisation files of Otterdog call, with their documented defaults.
// Plumbline writes this file: its facts are in core/sources/otterdog/library/defaults.ts.
`

/** Of the organisation: repositories of one name are one, the later over the earlier, and all are sorted by name. */
export const repositoriesText = `
    _repositories:: [],
    repositories:
      local byName = std.foldl(function(known, each) known { [each.name]+: [each] }, self._repositories, {});
      [std.foldl(function(one, more) one + more, byName[name], {}) for name in std.objectFields(byName)],`

/** What to do if the library of an organisation file is not there. */
export const libraryFix = 'copy the library there, or write `library: shipped` or its folder under `with`'
