import { expect, test } from 'vitest'
import { restDocument } from '../../../core/providers/rest/document/document.ts'
import { pageParameters } from '../../../core/tools/authoring/document/document-view.ts'

const namesOf = (pagination: object): readonly string[] => {
  const document = restDocument.parse({
    provider: { id: 'things', baseUrl: 'https://api.test', pagination },
    resources: {},
  })
  return pageParameters(document, { method: 'GET', path: '/things' })
}

test.each([
  [{ style: 'none' }, []],
  [{ style: 'link', size: { param: 'per_page', value: 100 } }, ['per_page']],
  [{ style: 'page', param: 'page', query: { sort: 'id' } }, ['sort', 'page']],
  [{ style: 'cursor', next: 'next' }, []],
  [{ style: 'offset', param: 'offset', in: 'body' }, []],
])('the pages are recognised by the query parameters %j', (pagination, expected) => {
  expect(namesOf(pagination)).toEqual(expected)
})
