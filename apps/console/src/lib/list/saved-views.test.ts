import { describe, expect, it } from 'vitest'
import { STORAGE_KEYS } from '../storage/keys.ts'
import { memoryStorage } from '../storage/stored-record.ts'
import { currentView, savedViews, showsView, VIEWS_MAX } from './saved-views.ts'

const dear = {
  name: 'Dear calls',
  search: { model: 'gpt-5', sort: 'quota', order: 'desc' },
  columns: { content: false },
}

describe('saved views', () => {
  it('are kept per list and user', () => {
    const storage = memoryStorage()
    savedViews(storage, 'logs', 1).save(dear)
    expect(savedViews(storage, 'logs', 1).read()).toEqual([dear])
    expect(savedViews(storage, 'logs', 2).read()).toEqual([])
    expect(savedViews(storage, 'users', 1).read()).toEqual([])
  })

  it('replace one with the same name, are deleted individually, and make room', () => {
    const views = savedViews(memoryStorage(), 'logs', 1)
    views.save(dear)
    expect(views.save({ ...dear, search: {} })).toEqual([{ ...dear, search: {} }])
    expect(views.remove('Dear calls')).toEqual([])
    for (let at = 0; at <= VIEWS_MAX; at += 1) views.save({ ...dear, name: `view ${at}` })
    expect(views.read()).toHaveLength(VIEWS_MAX)
    expect(views.read()[0]?.name).toBe('view 1')
  })

  it('are treated as absent when they cannot be read', () => {
    const storage = memoryStorage()
    storage.setItem(STORAGE_KEYS.views('logs', 1), '[{"name":"","search":{}}]')
    expect(savedViews(storage, 'logs', 1).read()).toEqual([])
    storage.setItem(STORAGE_KEYS.views('logs', 1), '{')
    expect(savedViews(storage, 'logs', 1).read()).toEqual([])
  })

  it('survive renamed and removed columns and parameters', () => {
    const old = {
      name: 'old',
      search: { model_name: 'gpt-5', sort: 'cost', order: 'asc' },
      columns: { cost: true, colour: true, content: false },
    }
    const shape = { columns: ['quota', 'content'], renamed: { cost: 'quota', model_name: 'model' } }
    expect(currentView(old, shape)).toEqual({
      name: 'old',
      search: { model: 'gpt-5', sort: 'quota', order: 'asc' },
      columns: { quota: true, content: false },
    })
    expect(currentView({ ...old, search: { sort: 'colour', order: 'asc', size: 50 } }, shape).search).toEqual({
      size: 50,
    })
  })

  it('are recognised in the address', () => {
    expect(showsView({ model: 'gpt-5', sort: 'quota', order: 'desc', channel: undefined }, dear)).toBe(true)
    expect(showsView({ model: 'gpt-5', sort: 'quota' }, dear)).toBe(false)
    expect(showsView({ ...dear.search, token: 'ci' }, dear)).toBe(false)
  })
})
