import { existsSync, readFileSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import type { SqliteDatabase } from '../database.ts'
import { flushFolder } from './replace-database.ts'

/** A record and its number; numbers count up by one, even across restarts. */
export interface NumberedRecord {
  readonly number: number
  readonly text: string
}

/** Records that an earlier version promised but has not written to the tables. */
export interface LeftRecords {
  /** Ordered by number. */
  readonly found: readonly NumberedRecord[]
  /** Ranges of numbers that are missing before or between these: damaged, refused by the disk, or never completely written. */
  readonly lost: readonly (readonly [from: number, to: number])[]
  /** Files that could not be read, because their beginning is damaged or they belong to another database: their new names. */
  readonly setAside: readonly string[]
}

/** Length, checksum, number. */
const HEAD_BYTES = 16
const MAGIC = 'sluice records 1\n'
/** A file begins with the magic, the id of the database, its first number and a checksum of them. */
const ID_BYTES = 32
const FILE_HEAD_BYTES = 64
/** The numbers in one file span less than this. */
const MAX_RECORDS = 1 << 20
const EMPTY = Buffer.alloc(0)

/**
 * Reads the record log next to a database: until 28 November 2026 a charge was promised once it was in one of these two files, and
 * its rows followed. Undefined when there is no log. Charge the result, then call `removeRecordLog`.
 */
export async function readRecordLog({ file, kysely }: SqliteDatabase): Promise<LeftRecords | undefined> {
  const paths = recordFiles(file).filter((path) => existsSync(path))
  if (paths.length === 0) return undefined
  const { rows } = await sql<{ id: string; applied: number }>`select id, applied from record_log`.execute(kysely)
  const [mark] = rows
  if (mark === undefined) throw new Error('the table record_log has one row')
  const read = paths.map((path) => readSegment(path, mark.id))
  const found = read
    .flatMap(({ records }) => records)
    .filter(({ number }) => number > mark.applied)
    .toSorted((a, b) => a.number - b.number)
  return { found, lost: gapsOf(found, mark.applied), setAside: read.flatMap(({ setAside }) => setAside ?? []) }
}

/** Call it once the charges are in the tables and flushed. If the process dies in between, the next one finds them charged. */
export async function removeRecordLog({ file, kysely }: SqliteDatabase, { found }: LeftRecords): Promise<void> {
  const latest = found.at(-1)
  if (latest !== undefined) await sql`update record_log set applied = ${latest.number}`.execute(kysely)
  for (const path of recordFiles(file)) await rm(path, { force: true })
  await flushFolder(dirname(file))
}

export function recordFiles(file: string): readonly string[] {
  return [`${file}.records-0`, `${file}.records-1`]
}

interface ReadSegment {
  readonly records: readonly NumberedRecord[]
  /** The file's new name, if it could not be read. */
  readonly setAside?: string
}

function readSegment(path: string, id: string): ReadSegment {
  const bytes = readFileSync(path)
  const owner = ownerOf(bytes)
  if (owner === undefined) {
    return bytes.every((byte) => byte === 0) ? { records: [] } : moveAside(path, 'damaged')
  }
  if (owner !== id) return moveAside(path, `of-${owner.slice(0, 8)}`)
  return { records: readRecords(bytes, bytes.readDoubleLE(FILE_HEAD_BYTES - 12)) }
}

/** Undefined when the beginning of the file is empty or damaged. */
function ownerOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, FILE_HEAD_BYTES)
  const isWhole =
    head.length === FILE_HEAD_BYTES &&
    head.toString('latin1', 0, MAGIC.length) === MAGIC &&
    crc32(head.subarray(0, FILE_HEAD_BYTES - 4)) === head.readUInt32LE(FILE_HEAD_BYTES - 4)
  return isWhole ? head.toString('latin1', MAGIC.length, MAGIC.length + ID_BYTES) : undefined
}

function moveAside(path: string, why: string): ReadSegment {
  let setAside = `${path}.${why}`
  for (let more = 2; existsSync(setAside); more += 1) setAside = `${path}.${why}-${more}`
  renameSync(path, setAside)
  return { records: [], setAside }
}

/**
 * The records of a file from its first number on. After the last one there may be remains of an earlier use of the space, or a
 * record that was being written when the process ended. If a later record is intact, the bytes before it were damaged; it is found
 * by trying every position.
 */
function readRecords(bytes: Buffer, first: number): readonly NumberedRecord[] {
  const records: NumberedRecord[] = []
  let next = first
  for (let at = FILE_HEAD_BYTES; at + HEAD_BYTES <= bytes.length;) {
    const length = bytes.readUInt32LE(at)
    const number = bytes.readDoubleLE(at + 8)
    const end = at + HEAD_BYTES + length
    const isPlausible = end <= bytes.length && number >= next && number < next + MAX_RECORDS
    const text = isPlausible ? bytes.subarray(at + HEAD_BYTES, end) : EMPTY
    if (isPlausible && checksum(bytes.subarray(at, at + HEAD_BYTES), text) === bytes.readUInt32LE(at + 4)) {
      records.push({ number, text: text.toString() })
      next = number + 1
      at = end
    } else {
      at += 1
    }
  }
  return records
}

/** Checksum over the length, the number and the text. */
function checksum(head: Buffer, text: Uint8Array): number {
  return crc32(text, crc32(head.subarray(8, HEAD_BYTES), crc32(head.subarray(0, 4))))
}

/** The numbers missing between `known` and the last record. */
function gapsOf(found: readonly NumberedRecord[], known: number): LeftRecords['lost'] {
  return found.flatMap(({ number }, i) => {
    const next = (found[i - 1]?.number ?? known) + 1
    return number > next ? [[next, number - 1] as const] : []
  })
}
