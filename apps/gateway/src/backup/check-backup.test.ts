import { SqliteError } from '@sluice/store/sqlite/host'
import { describe, expect, test } from 'vitest'
import { damageText } from './check-backup.ts'

/** Error codes: https://www.sqlite.org/rescode.html. */
describe('a backup that is checked', () => {
  test.each([
    ['corrupt', 11],
    ['corrupt, in an index', 779],
    ['not a database', 26],
    ['without a table that it has to have', 1],
  ])('is damaged when SQLite says that it is %s', (_words, errcode) => {
    expect(damageText(new SqliteError('what SQLite said', errcode))).toBe('what SQLite said')
  })

  test.each([
    ['full', 13],
    ['failing', 778],
    ['read-only', 8],
    ['out of reach', 14],
  ])('is not damaged when the disk that takes its copy is %s', (_words, errcode) => {
    expect(damageText(new SqliteError('what SQLite said', errcode))).toBeUndefined()
  })

  test('is not damaged when the thread that checks it ended', () => {
    expect(damageText(new SqliteError('the database thread ended'))).toBeUndefined()
  })
})
