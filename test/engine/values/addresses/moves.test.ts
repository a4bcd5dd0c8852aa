import { describe, expect, it } from 'vitest'
import { nextAddressBy } from '../../../../core/engine/values/addresses/moves.ts'

describe('the next address by a move', () => {
  it.each<[from: string, to: string, address: string, next: string | undefined]>([
    ['a_b.c', 'a_b.d', 'a_b.c', 'a_b.d'],
    ['a_b.c', 'a_b.d', 'a_b.c["x"]', undefined],
    ['a_b.c', 'a_b.d', 'module.m.a_b.c', undefined],
    ['module.a', 'module.b', 'module.a.a_b.c', 'module.b.a_b.c'],
    ['module.a', 'module.b', 'module.a.a_b.c["x"]', 'module.b.a_b.c["x"]'],
    ['module.a', 'module.b', 'module.a["x"].a_b.c', 'module.b["x"].a_b.c'],
    ['module.a', 'module.b', 'module.a.module.n["y"].a_b.c', 'module.b.module.n["y"].a_b.c'],
    ['module.a', 'module.b', 'module.aa.a_b.c', undefined],
    ['module.a', 'module.b', 'module.n.module.a.a_b.c', undefined],
    ['module.a', 'module.b', 'a_b.c', undefined],
    ['module.a', 'module.b["x"]', 'module.a.a_b.c', 'module.b["x"].a_b.c'],
    ['module.a', 'module.b["x"]', 'module.a["y"].a_b.c', undefined],
    ['module.a["x"]', 'module.a["y"]', 'module.a["x"].a_b.c', 'module.a["y"].a_b.c'],
    ['module.a["x"]', 'module.a["y"]', 'module.a["z"].a_b.c', undefined],
    ['module.a["x.module.n"]', 'module.b', 'module.a["x.module.n"].a_b.c', 'module.b.a_b.c'],
    ['module.p.module.a', 'module.b', 'module.p.module.a["k"].a_b.c', 'module.b["k"].a_b.c'],
  ])('%s to %s: %s is %s', (from, to, address, next) => {
    expect(nextAddressBy([{ from, to }])(address)).toBe(next)
  })

  it('uses the move of the resource itself before that of its innermost module', () => {
    const next = nextAddressBy([
      { from: 'module.a', to: 'module.b' },
      { from: 'module.a.module.n', to: 'module.m' },
      { from: 'module.a.a_b.c', to: 'a_b.c' },
    ])
    expect(next('module.a.a_b.c')).toBe('a_b.c')
    expect(next('module.a.a_b.d')).toBe('module.b.a_b.d')
    expect(next('module.a.module.n.a_b.c')).toBe('module.m.a_b.c')
  })
})
