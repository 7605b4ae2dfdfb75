import { describe, expect, it } from 'vitest'
import { MAX_SELECTED, pressed } from './use-selection.ts'

const page = ['a', 'b', 'c', 'd'].map((id) => [id, id.toUpperCase()] as const)
const ids = (selected: ReadonlyMap<string, string>) => [...selected.keys()]

describe('selecting rows', () => {
  it('adds and removes one row', () => {
    const one = pressed(new Map(), page, { id: 'b', on: true })
    expect([...one]).toEqual([['b', 'B']])
    expect(ids(pressed(one, page, { id: 'b', on: false }))).toEqual([])
  })

  it('fills the range between two presses, in either direction', () => {
    expect(ids(pressed(new Map(), page, { id: 'c', on: true, from: 'a' }))).toEqual(['a', 'b', 'c'])
    expect(ids(pressed(new Map(), page, { id: 'b', on: true, from: 'd' }))).toEqual(['b', 'c', 'd'])
    expect(ids(pressed(new Map(page), page, { id: 'c', on: false, from: 'b' }))).toEqual(['a', 'd'])
  })

  it('keeps rows of other pages, and ignores an anchor there', () => {
    const other = new Map([['z', 'Z']])
    expect(ids(pressed(other, page, { id: 'c', on: true, from: 'z' }))).toEqual(['z', 'c'])
  })

  it('stops at its limit', () => {
    const full = new Map(Array.from({ length: MAX_SELECTED }, (_, index) => [`r${index}`, '']))
    expect(pressed(full, page, { id: 'a', on: true }).size).toBe(MAX_SELECTED)
  })
})
