import { expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { showRequest } from '../../../core/pages/render/requests/show-request.ts'

/* The body of a form is shown as it is sent: fields, and no JSON. */

const shown = (body: Json, room = 80): readonly string[] =>
  showRequest(
    {
      method: 'POST',
      url: 'http://api.test/',
      effect: 'write',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body,
    },
    room,
  ).body

it.each<[string, Json, readonly string[]]>([
  ['texts, numbers and nothing', { title: 'a b&c', n: 1, on: true, off: null }, ['title=a+b%26c&n=1&on=true&off=']],
  ['one field for each element', { tag: ['x', 'y'] }, ['tag=x&tag=y']],
  ['what a text cannot look like', { a: '$TOKEN', b: '(known after apply)' }, ['a=%24TOKEN&b=%28known+after+apply%29']],
  ['secrets by their source', { a: { $secret: 'env:TOKEN' } }, ['a=$TOKEN']],
  ['what is known later', { a: { $after: 'x_y.z', pointer: '/id' } }, ['a=(known after apply: x_y.z /id)']],
  ['a number as it is written', { a: { $number: '1.50' } }, ['a=1.50']],
  ['a text that is sent as it is', 'a=1', ['"a=1"']],
])('a form with %s', (_, body, lines) => {
  expect(shown(body)).toEqual(lines)
})

it('has a line for each field where one line is too long', () => {
  expect(shown({ one: 'x'.repeat(9), two: 'y' }, 12)).toEqual(['one=xxxxxxxxx', '&two=y'])
})
