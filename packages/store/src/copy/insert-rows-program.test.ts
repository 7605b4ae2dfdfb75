import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteConnection, type SqliteConnection } from '../sqlite/connection.ts'
import { open } from './insert-rows-program.ts'

let directory: string
let connection: SqliteConnection
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sluice-insert-'))
  connection = openSqliteConnection(join(directory, 'rows.db'))
  connection.exec(`create table item (id integer primary key, amount int8 not null); create table total (items integer);
    insert into total values (0);
    create trigger item_added after insert on item begin update total set items = items + 1; end`)
})
afterEach(() => {
  connection.close()
  rmSync(directory, { recursive: true, force: true })
})

const INSERT = 'insert into item (id, amount) values (?, ?)'
const insert = (rows: readonly string[]): unknown =>
  open(connection)['insert']?.(...(['item', INSERT, rows] as never[]))
const state = () => ({
  items: connection.prepare('select id, amount from item').all(),
  total: connection.prepare('select items from total').get()?.['items'],
})

test('rows are added exactly, and triggers count only what comes later', () => {
  insert(['[1,"9223372036854775807"]', '[2,"-1"]'])
  expect(state()).toEqual({
    items: [
      { id: 1, amount: 9_223_372_036_854_775_807n },
      { id: 2, amount: -1n },
    ],
    total: 0,
  })
  connection.exec('insert into item values (3, 1)')
  expect(state().total).toBe(1)
})

test('after a failure there are no rows, and the triggers are as they were', () => {
  expect(() => insert(['[1,"1"]', '[2,null]'])).toThrow('NOT NULL')
  connection.exec('insert into item values (3, 1)')
  expect(state()).toEqual({ items: [{ id: 3, amount: 1n }], total: 1 })
})

test('a full disk is what the caller hears of, and rows can be added when there is room', () => {
  connection.exec('pragma max_page_count = 6')
  const rows = Array.from({ length: 5_000 }, (_, id) => `[${id + 1},"1"]`)
  expect(() => insert(rows)).toThrow('disk is full')
  connection.exec('pragma max_page_count = 10000')
  insert(rows)
  connection.exec('insert into item values (5001, 1)')
  expect([state().items.length, state().total]).toEqual([5_001, 1])
})
