import { describe, expect, it } from 'vitest'
import { missingIn, orderOf, readImportSearch, shortSearch, shownStep } from './import-search.ts'

const UPLOAD = '0123456789abcdef0123456789abcdef'

describe('the address of the page', () => {
  it('says nothing as long as nothing was chosen', () => {
    expect(shortSearch(readImportSearch({}))).toEqual({})
  })

  it('keeps every choice, and no database address', () => {
    const chosen = {
      step: 'check',
      upload: UPLOAD,
      file: 'a.db',
      logs: 'rows',
      debts: 'keep',
      leave: true,
      name: 'shop',
    }
    expect(shortSearch(readImportSearch({ ...chosen, address: 'mysql://u:secret@h/d' }))).toEqual(chosen)
  })

  it('means what is usual where it cannot be read', () => {
    const usual = readImportSearch({})
    expect(readImportSearch({ step: 'later', logs: 7, debts: null, leave: 'perhaps', from: {} })).toEqual(usual)
    expect(readImportSearch({ upload: 12 }).upload).toBe('12')
  })
})

describe('the step that is shown', () => {
  it.each([
    ['source', null, 'source'],
    ['source', { mode: 'import' }, 'source'],
    ['check', null, 'source'],
    ['check', { mode: 'check' }, 'check'],
    ['check', { mode: 'import' }, 'import'],
    ['import', { mode: 'check' }, 'check'],
  ] as const)('for %s with %j is %s', (step, run, shown) => {
    expect(shownStep(step, run)).toBe(shown)
  })
})

describe('an order', () => {
  it('has the upload, or the address as it was entered', () => {
    const upload = readImportSearch({ upload: UPLOAD, name: 'shop', leave: true })
    expect(orderOf(upload, '', 'check')).toEqual({
      source: { from: 'upload', upload: UPLOAD },
      mode: 'check',
      name: 'shop',
      logs: 'sums',
      since: 0,
      debts: 'refuse',
      prices: 'keep',
      leave_out: true,
      roots: 'one',
    })
    const address = readImportSearch({ from: 'address' })
    expect(orderOf(address, ' mysql://a@b/c ', 'import').source).toEqual({ from: 'address', address: 'mysql://a@b/c' })
  })

  it('begins at the start of a day, and only if logs are brought', () => {
    const since = '2026-03-09'
    const day = new Date('2026-03-09T00:00').getTime() / 1_000
    expect(orderOf(readImportSearch({ since }), '', 'check').since).toBe(day)
    expect(orderOf(readImportSearch({ since, logs: 'none' }), '', 'check').since).toBe(0)
    expect(orderOf(readImportSearch({ since: 'yesterday' }), '', 'check').since).toBe(0)
  })

  it.each([
    [{}, '', 'file'],
    [{ upload: UPLOAD }, '', undefined],
    [{ from: 'address' }, '', 'address'],
    [{ from: 'address' }, 'https://example.org', 'address'],
    [{ from: 'address' }, 'postgres://h/d', undefined],
    [{ upload: UPLOAD, name: 'Shop 2' }, '', 'name'],
  ])('from %j with the address "%s" lacks %s', (search, address, missing) => {
    expect(missingIn(readImportSearch(search), address)).toBe(missing)
  })
})
