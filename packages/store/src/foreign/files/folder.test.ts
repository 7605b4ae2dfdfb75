import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ForeignDatabase } from '../foreign-database.ts'
import { openForeignDatabase } from '../open-foreign-database.ts'

let directory = ''
let folder = ''
let temporaryDirectory = ''
let database: ForeignDatabase | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-folder-'))
  folder = join(directory, 'tables')
  temporaryDirectory = join(directory, 'temporary')
  await Promise.all([mkdir(folder), mkdir(temporaryDirectory)])
})
afterEach(async () => {
  await database?.close()
  database = undefined
  await rm(directory, { recursive: true, force: true })
})

const write = (name: string, contents: string | Uint8Array): Promise<void> => writeFile(join(folder, name), contents)

async function outcome(): Promise<string> {
  const result = await openForeignDatabase(folder, { signal: new AbortController().signal, temporaryDirectory })
  if ('problem' in result) {
    expect(await readdir(temporaryDirectory)).toEqual([])
    return result.problem
  }
  database = result.database
  return 'opened'
}

test('CSV and JSON lines become tables, with their keys as numbers and everything else as written', async () => {
  await write('users.csv', '\uFEFFid,username,quota,code\r\n2,"a ""b""",5,007\r\n1,,x,""\r\n')
  await write('tokens.JSONL', '{"id":1,"key":"k1"}\n\n{"id":2,"unlimited":true,"key":"k2"}\n')
  await write('notes.txt', 'not a table')
  await write('.hidden.csv', 'not,a,table')
  expect(await outcome()).toBe('opened')
  expect(database?.tables).toEqual([
    { name: 'tokens', columns: ['id', 'key', 'unlimited'] },
    { name: 'users', columns: ['id', 'username', 'quota', 'code'] },
  ])
  const page = { key: 'id', after: undefined, limit: 10 }
  expect(await database?.page({ ...page, table: 'users', columns: ['id', 'username', 'quota', 'code'] })).toEqual([
    { id: 1, username: null, quota: 'x', code: '' },
    { id: 2, username: 'a "b"', quota: 5, code: '007' },
  ])
  expect(await database?.page({ ...page, table: 'tokens', columns: ['key', 'unlimited'] })).toEqual([
    { key: 'k1', unlimited: null },
    { key: 'k2', unlimited: 1 },
  ])
})

test('keys that are repeated or no integers are counted', async () => {
  await write('users.csv', 'id,name\n1,a\n1,b\nx,c\n,d\n"",e\n10,f\n9,g\n')
  expect(await outcome()).toBe('opened')
  expect(await database?.oddKeys('users', 'id')).toBe(4)
  const rows = await database?.page({ table: 'users', columns: ['id'], key: 'id', after: 1, limit: 9 })
  expect(rows).toEqual([{ id: 9 }, { id: 10 }])
})

test.each([
  ['users.csv', '', 'users.csv, line 1: the header with the names of the columns is missing'],
  ['users.csv', 'id,,x\n', 'users.csv, line 1: a column has no name'],
  ['users.csv', 'id,a,ID\n', 'users.csv, line 1: two columns are named "ID", or differ only in case'],
  ['users.csv', 'id,a\n1,2\n3\n', 'users.csv, line 3: the record has 1 fields, but the header has 2'],
  ['users.csv', 'id,a\n1,"x\n\ny"\n2,"b', 'users.csv, line 5: a quote is never closed'],
  [
    'users.csv',
    Buffer.concat([Buffer.from('id,a\n1,é\n2,'), Buffer.of(0xe9, 0x0a)]),
    'users.csv, line 3: the text is not UTF-8',
  ],
  ['users.csv', Buffer.from('\uFEFFid,a\n', 'utf16le'), 'users.csv, line 1: the text is not UTF-8'],
  ['users.csv', Buffer.concat([Buffer.from('id\n'), Buffer.of(0xc3)]), 'users.csv, line 2: the text is not UTF-8'],
  ['users.jsonl', '{"id":1}\n{"id":\n', 'users.jsonl, line 2: the line is not valid JSON'],
  ['users.jsonl', '{"id":1,"Id":2}\n', 'users.jsonl, line 1: two columns are named "Id", or differ only in case'],
])('%s with %j is refused by its line', async (name, contents, problem) => {
  await write(name, contents)
  expect(await outcome()).toBe(`the folder tables cannot be read: ${problem}`)
})

test('a table has one file', async () => {
  await write('users.csv', 'id\n')
  await write('Users.jsonl', '{"id":1}\n')
  expect(await outcome()).toBe('the folder tables contains two files for the table users')
  await rm(join(folder, 'Users.jsonl'))
  await mkdir(join(folder, 'logs.csv'))
  expect(await outcome()).toBe('the folder tables contains logs.csv, which is not a file')
})

test('a file of many pieces is read to its end, and a fault far in has the right line', async () => {
  const lines = Array.from({ length: 60_000 }, (_, at) => `${at + 1},"${'ü'.repeat(10)}"`)
  await write('logs.csv', `id,content\n${lines.join('\n')}`)
  expect(await outcome()).toBe('opened')
  expect([await database?.count('logs'), await database?.oddKeys('logs', 'id')]).toEqual([60_000, 0])
  await database?.close()
  database = undefined
  const half = lines.slice(0, 50_000).join('\n')
  await write(
    'logs.csv',
    Buffer.concat([Buffer.from(`id,content\n${half}\n`), Buffer.of(0xff), Buffer.from('\n1,2\n')]),
  )
  expect(await outcome()).toBe('the folder tables cannot be read: logs.csv, line 50002: the text is not UTF-8')
})

test('a changed file is seen after a new moment begins', async () => {
  await write('users.csv', 'id\n1\n')
  expect(await outcome()).toBe('opened')
  await write('users.csv', 'id\n1\n2\n')
  expect(await database?.count('users')).toBe(1)
  await database?.refresh()
  expect(await database?.count('users')).toBe(2)
  await write('users.csv', 'id\n"1\n')
  await expect(database?.refresh()).rejects.toThrow('users.csv, line 2: a quote is never closed')
})
