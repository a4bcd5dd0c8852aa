import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLinks } from '../../../../core/providers/rest/read/lists/link-header.ts'
import { aListServer, listItems, namesListed, urls } from '../../../builders/servers/paged-lists.ts'

const nextOf = (text: string): readonly string[] | undefined =>
  parseLinks(text)?.flatMap(({ target, relations }) => (relations.includes('next') ? [target] : []))

describe('a Link header', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['<a>; rel="next"', ['a']],
    ['<a>;rel=next', ['a']],
    ['<a> ; REL = "NEXT"', ['a']],
    ['<a>\t;\trel="next"', ['a']],
    ['<a>; rel="prev next"', ['a']],
    ['<a>; rel="prev\tnext  last"', ['a']],
    ['<a>; rel="prev" , <b>; rel="next"', ['b']],
    ['<a>; crossorigin, <b>; rel="next"', ['b']],
    ['<a>; title="x, <c>; rel=\\"next\\""; rel="last", <b>; rel=next', ['b']],
    ['<a?x=1,2;3>; rel="next"', ['a?x=1,2;3']],
    ['<a>; title*=UTF-8\'de\'n%c3%a4chstes; rel="next"', ['a']],
    [',, <a>; rel="next",', ['a']],
    ['<a>;; rel="next";', ['a']],
    ['<a>; rel="first"; rel="next"', []],
    ['<a>; rel="nextish"', []],
    ['<a>; rel="https://example.org/next"', []],
    ['<a>', []],
  ])('names the next page: %s', (text, next) => expect(nextOf(text)).toEqual(next))

  it.each([
    'garbage',
    '<a; rel="next"',
    '<a>; rel="next',
    '<a>; rel="next" x',
    '<a>; rel="prev" <b>; rel="next"',
    'a; rel=next',
  ])('is reported where it cannot be read: %s', (text) => expect(parseLinks(text)).toBeUndefined())

  const words = fc.stringMatching(/^[a-z]{1,8}$/)
  const space = fc.constantFrom('', ' ', '\t', '  ')
  const quoted = fc.string().map((text) => `"${text.replace(/[\\"]/g, '\\$&')}"`)
  const written = fc
    .record({
      target: fc.stringMatching(/^[a-z/?=,;&]{1,12}$/),
      relations: fc.array(words, { minLength: 1, maxLength: 3 }),
      title: fc.option(quoted),
      spaces: fc.tuple(space, space, space, space),
      upper: fc.boolean(),
    })
    .map(({ target, relations, title, spaces: [a, b, c, d], upper }) => {
      const rel = `${a};${b}${upper ? 'ReL' : 'rel'}${c}=${d}"${relations.join(' ')}"`
      return {
        target,
        relations,
        text: `<${target}>${title === null ? '' : `${a};${b}title${c}=${d}${title}`}${rel}${a}`,
      }
    })

  it('can be read back however it is written', () =>
    fc.assert(
      fc.property(fc.array(written), space, (links, between) => {
        const text = links.map((link) => link.text).join(`,${between}`)
        expect(parseLinks(text)).toEqual(links.map(({ target, relations }) => ({ target, relations })))
      }),
    ))
})

describe('pages by links', () => {
  const list = (link: string) =>
    aListServer((_, n) =>
      n === 1 ? { headers: { link }, body: { items: listItems.slice(0, 3) } } : { body: { items: listItems.slice(3) } },
    )

  it.each([
    ['<http://api.test/things?page=2>; rel="next"', '/things?page=2'],
    ['</things?page=2>; rel="prev next"', '/things?page=2'],
    ['<?page=2>; rel=last, <?page=2> ; Rel="Next"', '/things?page=2'],
    ['<?page=2>; rel=next; anchor="/things"', '/things?page=2'],
  ])('are followed where %s says', async (link, second) => {
    const api = list(link)
    expect(await namesListed('{ style: link }', api)).toBe('abcde')
    expect(urls(api)).toEqual(['/things', second])
  })

  it.each([
    ['<?page=2>; rel="next', 'cannot be read'],
    ['<?page=2>; rel=next, <?page=3>; rel=next', 'several next pages'],
    ['<http://other.test/>; rel=next', 'another host'],
  ])('are unknown after %s', async (link, detail) => {
    expect(await namesListed('{ style: link }', list(link))).toMatchObject({
      kind: 'unknown',
      reason: 'bad_body',
      detail: expect.stringContaining(detail),
    })
  })

  it('end where the next page belongs to something else', async () => {
    expect(await namesListed('{ style: link }', list('<?page=2>; rel=next; anchor="/others"'))).toBe('abc')
  })
})
