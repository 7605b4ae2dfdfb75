import { describe, expect, test } from 'vitest'
import { databaseTarget } from './database-target.ts'

describe('DATABASE_URL', () => {
  test.each([
    [undefined, { sqliteFile: '/data/sluice.db' }],
    ['', { sqliteFile: '/data/sluice.db' }],
    ['sqlite:./other.db', { sqliteFile: './other.db' }],
    ['sqlite:/var/lib/x.db', { sqliteFile: '/var/lib/x.db' }],
    ['sqlite:///var/lib/x.db', { sqliteFile: '/var/lib/x.db' }],
    ['postgres://u:p@db:5432/sluice', { url: 'postgres://u:p@db:5432/sluice' }],
    ['postgresql://db/sluice', { url: 'postgresql://db/sluice' }],
  ])('%j names a database', (url, target) => {
    expect(databaseTarget(url, '/data')).toEqual(target)
  })

  test.each(['sqlite:', 'postgres://db:port/x', 'mysql://db/x', 'sluice.db', 'POSTGRES'])(
    '%j is refused with the reason',
    (url) => {
      expect(databaseTarget(url, '/data')).toEqual({ problem: expect.stringMatching(/^DATABASE_URL /) })
    },
  )

  test('a refusal does not repeat the password', () => {
    expect(JSON.stringify(databaseTarget('mysql://u:secret@db/x', '/data'))).not.toContain('secret')
  })
})
