import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type SqliteDatabase } from '../database.ts'
import { type NumberedRecord, readRecordLog, recordFiles, removeRecordLog } from './record-log.ts'

const ID = '0123456789abcdef0123456789abcdef'
const OTHER_ID = 'fedcba9876543210fedcba9876543210'
const ONE: NumberedRecord = { number: 1, text: 'one' }
const TWO: NumberedRecord = { number: 2, text: 'zwei – ü' }
const THREE: NumberedRecord = { number: 3, text: '' }
const FOUR: NumberedRecord = { number: 4, text: 'four' }

let directory = ''
let database: SqliteDatabase

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sluice-records-'))
  const opened = await openDatabase({ sqliteFile: join(directory, 'sluice.db') })
  if (opened.engine !== 'sqlite') throw new Error('a file is a SQLite database')
  database = opened
  await sql`create table record_log (id text primary key, applied integer not null)`.execute(database.kysely)
  await sql`insert into record_log values (${ID}, 0)`.execute(database.kysely)
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true, force: true })
})

/** A file as the previous version wrote it, with zeros in the unused space. */
function fileOf(id: string, first: number, records: readonly NumberedRecord[]): Buffer {
  const head = Buffer.alloc(64)
  head.write(`sluice records 1\n${id}`, 'latin1')
  head.writeDoubleLE(first, 52)
  head.writeUInt32LE(crc32(head.subarray(0, 60)), 60)
  return Buffer.concat([head, ...records.map(recordOf), Buffer.alloc(256)])
}

function recordOf({ number, text }: NumberedRecord): Buffer {
  const head = Buffer.alloc(16)
  const body = Buffer.from(text)
  head.writeUInt32LE(body.length, 0)
  head.writeDoubleLE(number, 8)
  head.writeUInt32LE(crc32(body, crc32(head.subarray(8), crc32(head.subarray(0, 4)))), 4)
  return Buffer.concat([head, body])
}

function leave(...files: readonly Buffer[]): void {
  for (const [at, bytes] of files.entries()) writeFileSync(recordFiles(database.file)[at] ?? '', bytes)
}

const mark = (applied: number) => sql`update record_log set applied = ${applied}`.execute(database.kysely)
const names = () => readdirSync(directory).filter((name) => name.includes('.records-'))

describe('a record log that an earlier version left', () => {
  it('is nothing where there is none', async () => {
    expect(await readRecordLog(database)).toBeUndefined()
  })

  it('is read from both files, in order, above the number that the tables have', async () => {
    leave(fileOf(ID, 3, [THREE, FOUR]), fileOf(ID, 1, [ONE, TWO]))
    expect(await readRecordLog(database)).toEqual({ found: [ONE, TWO, THREE, FOUR], lost: [], setAside: [] })
    await mark(2)
    expect(await readRecordLog(database)).toEqual({ found: [THREE, FOUR], lost: [], setAside: [] })
  })

  it('was never used while its space has zeros only', async () => {
    leave(Buffer.alloc(1_024), Buffer.alloc(1_024))
    expect(await readRecordLog(database)).toEqual({ found: [], lost: [], setAside: [] })
  })

  it('ends where its last record is torn, at whatever byte', async () => {
    const whole = fileOf(ID, 1, [ONE, TWO])
    const [from, to] = [64 + recordOf(ONE).length, 64 + recordOf(ONE).length + recordOf(TWO).length]
    for (let at = from; at < to; at += 1) {
      leave(Buffer.concat([whole.subarray(0, at), Buffer.alloc(whole.length - at)]))
      expect([at, (await readRecordLog(database))?.found]).toEqual([at, [ONE]])
    }
  })

  it('never shows what an earlier use of its space left', async () => {
    const before = fileOf(ID, 1, [ONE, TWO, THREE])
    const now = Buffer.concat([fileOf(ID, 7, []).subarray(0, 64), recordOf({ number: 7, text: 'one' })])
    leave(Buffer.concat([now, before.subarray(now.length)]))
    expect((await readRecordLog(database))?.found).toEqual([{ number: 7, text: 'one' }])
  })

  it('tells which records are damaged, at whatever byte, and gives the others', async () => {
    const whole = fileOf(ID, 1, [ONE, TWO, FOUR])
    const [from, to] = [64 + recordOf(ONE).length, 64 + recordOf(ONE).length + recordOf(TWO).length]
    for (let at = from; at < to; at += 1) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 0x10
      leave(bytes)
      const left = await readRecordLog(database)
      expect([at, left]).toEqual([at, { found: [ONE, FOUR], lost: [[2, 3]], setAside: [] }])
    }
  })

  it('is set aside, file by file, where it belongs to another database or its beginning is damaged', async () => {
    const damaged = fileOf(ID, 1, [ONE])
    damaged[20] = 0
    leave(fileOf(OTHER_ID, 1, [ONE]), damaged)
    const setAside = [`${database.file}.records-0.of-fedcba98`, `${database.file}.records-1.damaged`]
    expect(await readRecordLog(database)).toEqual({ found: [], lost: [], setAside })
    leave(fileOf(OTHER_ID, 1, [ONE]))
    expect((await readRecordLog(database))?.setAside).toEqual([`${database.file}.records-0.of-fedcba98-2`])
    expect(names()).toHaveLength(3)
  })

  it('is gone once it is removed, and its number stays for the version before', async () => {
    leave(fileOf(ID, 1, [ONE, TWO]))
    const left = await readRecordLog(database)
    if (left === undefined) throw new Error('it is there')
    await removeRecordLog(database, left)
    expect(names()).toEqual([])
    expect(await readRecordLog(database)).toBeUndefined()
    const { rows } = await sql`select applied from record_log`.execute(database.kysely)
    expect(rows).toEqual([{ applied: 2 }])
  })
})
