import {
  close,
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  write,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

/** A record and its number; numbers count up by one, over restarts too. */
export interface NumberedRecord {
  readonly number: number
  readonly text: string
}

/**
 * Records that are durable long before they are anywhere else. Two files next to the database, used in turn: while one is written,
 * the records of the other get to where they belong, then it is overwritten. Their space is allocated once, so that a record costs
 * one flush of its own bytes, and the flush works on a full disk too.
 */
export interface RecordLog {
  /** Number of the latest record. */
  readonly latest: number
  /**
   * Appends a record and returns its number. `done` is called when it is on disk; everything appended while a flush is under way
   * shares the next one. With an error the disk refused: the record may then be found after a restart, or not.
   */
  append(text: string, done: (error?: Error) => void): number
  /** True when the file in use is full and waits for `release` to change to the other one. Meanwhile it grows. */
  readonly isFull: boolean
  /** Records up to this number are no longer needed here. */
  release(number: number): void
  /** Waits for what was appended, then closes the files. Later records are refused. */
  close(): Promise<void>
}

/** What an earlier process left, as far as it is needed. */
export interface LeftRecords {
  /** In order of their numbers. */
  readonly found: readonly NumberedRecord[]
  /** Numbers, from and to, that are missing before or between them: damaged, refused by the disk, or never completely written. */
  readonly lost: readonly (readonly [from: number, to: number])[]
  /** Files that could not be read, because their beginning is damaged or they belong to another database: their new names. */
  readonly setAside: readonly string[]
}

/** A file this large is full; a thousand records or so. */
const FULL_BYTES = 1 << 20
/** Space is allocated in these steps. */
const STEP_BYTES = 1 << 18
/** Length, checksum, number. */
const HEAD_BYTES = 16
const MAGIC = 'sluice records 1\n'
/** A file begins with the magic, the id of the database, its first number and a checksum of them. */
const ID_BYTES = 32
const FILE_HEAD_BYTES = 64
/** Linux makes a write durable before it returns; elsewhere a flush follows. */
const HAS_DURABLE_WRITES = process.platform === 'linux'

interface Segment {
  readonly fd: number
  /** Bytes in use. */
  end: number
  /** Bytes whose space is allocated. */
  allocated: number
  /** Number of its latest record; 0 when it has none that is needed. */
  latest: number
}

interface Appended {
  readonly number: number
  readonly text: Buffer
  readonly done: (error?: Error) => void
}

/**
 * Opens `<file>.records-0` and `-1`, readable by their owner only. `id` is that of the database, 32 characters. Records up to the
 * number `known` are not needed. The others must be dealt with, and released, before the first `append`, which overwrites the older
 * file.
 */
export function openRecordLog(
  file: string,
  id: string,
  known: number,
): { readonly log: RecordLog; readonly left: LeftRecords } {
  const read = recordFiles(file).map((path) => ({ path, ...readSegment(path, id) }))
  const [older, newer] = read.toSorted((a, b) => a.latest - b.latest)
  if (older === undefined || newer === undefined) throw new Error('a record log has two files')
  const found = [...older.records, ...newer.records]
    .filter(({ number }) => number > known)
    .toSorted((a, b) => a.number - b.number)
  const setAside = read.flatMap((each) => each.setAside ?? [])
  const segments = [openSegment(older.path, older.latest), openSegment(newer.path, newer.latest)] as const
  flushDirectory(dirname(file))
  const log = new Log(id, Math.max(known, newer.latest), segments)
  return { log, left: { found, lost: gapsOf(found, known), setAside } }
}

/** The files of the record log of a database. */
export function recordFiles(file: string): readonly string[] {
  return [`${file}.records-0`, `${file}.records-1`]
}

/** Ids of the databases to which the record log next to `file` belongs: one, none, or several after a mix-up. Changes nothing. */
export function recordOwners(file: string): readonly string[] {
  const owners = recordFiles(file).flatMap((path) => ownerOf(readIfThere(path)) ?? [])
  return [...new Set(owners)]
}

class Log implements RecordLog {
  latest: number
  readonly #id: string
  /** The one in use first. */
  #segments: readonly [Segment, Segment]
  #released = 0
  #waiting: Appended[] = []
  #isWriting = false
  /** The next write begins a file. */
  #mustBegin = true
  #onIdle: (() => void) | undefined
  #isClosed = false

  constructor(id: string, latest: number, segments: readonly [Segment, Segment]) {
    this.#id = id
    this.latest = latest
    this.#segments = segments
  }

  get isFull(): boolean {
    return this.#segments[0].end >= FULL_BYTES
  }

  append(text: string, done: (error?: Error) => void): number {
    this.latest += 1
    // Its descriptors may be those of other files by now.
    if (this.#isClosed) {
      queueMicrotask(() => done(new Error('the record log is closed')))
      return this.latest
    }
    this.#waiting.push({ number: this.latest, text: Buffer.from(text), done })
    if (!this.#isWriting) void this.#writeAll()
    return this.latest
  }

  release(number: number): void {
    this.#released = Math.max(this.#released, number)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#isWriting) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    await Promise.all(this.#segments.map(({ fd }) => new Promise<void>((resolve) => close(fd, () => resolve()))))
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    // What is appended together is written together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#write(group)
        for (const { done } of group) done()
      } catch (error) {
        for (const { done } of group) done(error as Error)
      }
    }
    this.#isWriting = false
    this.#onIdle?.()
  }

  async #write(group: readonly Appended[]): Promise<void> {
    const other = this.#segments[1]
    if (this.isFull && other.latest <= this.#released) {
      this.#segments = [other, this.#segments[0]]
      this.#mustBegin = true
    }
    const segment = this.#segments[0]
    const first = group[0]?.number ?? 0
    const head = this.#mustBegin ? fileHead(this.#id, first) : EMPTY
    const at = this.#mustBegin ? 0 : segment.end
    const bytes = Buffer.concat([head, ...group.flatMap(({ number, text }) => [recordHead(number, text), text])])
    if (at + bytes.length > segment.allocated) await allocate(segment, at + bytes.length)
    await writeDurably(segment.fd, bytes, at)
    // After a failure the same place is written again, so nothing can follow a torn record.
    segment.end = at + bytes.length
    segment.latest = group.at(-1)?.number ?? segment.latest
    this.#mustBegin = false
  }
}

const EMPTY = Buffer.alloc(0)

function fileHead(id: string, first: number): Buffer {
  const head = Buffer.alloc(FILE_HEAD_BYTES)
  head.write(MAGIC, 0, 'latin1')
  head.write(id, MAGIC.length, ID_BYTES, 'latin1')
  head.writeDoubleLE(first, FILE_HEAD_BYTES - 12)
  head.writeUInt32LE(crc32(head.subarray(0, FILE_HEAD_BYTES - 4)), FILE_HEAD_BYTES - 4)
  return head
}

function recordHead(number: number, text: Buffer): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt32LE(text.length, 0)
  head.writeDoubleLE(number, 8)
  head.writeUInt32LE(checksum(head, text), 4)
  return head
}

/** Over the length, the number and the text. */
function checksum(head: Buffer, text: Uint8Array): number {
  return crc32(text, crc32(head.subarray(8, HEAD_BYTES), crc32(head.subarray(0, 4))))
}

interface ReadSegment {
  readonly records: readonly NumberedRecord[]
  /** Number of its latest record; one less than its first number when it has none. */
  readonly latest: number
  /** Its new name, when it could not be read. */
  readonly setAside?: string
}

function readSegment(path: string, id: string): ReadSegment {
  const bytes = readIfThere(path)
  const owner = ownerOf(bytes)
  if (owner === undefined) {
    return bytes.every((byte) => byte === 0) ? { records: [], latest: 0 } : moveAside(path, 'damaged')
  }
  if (owner !== id) return moveAside(path, `of-${owner.slice(0, 8)}`)
  const first = bytes.readDoubleLE(FILE_HEAD_BYTES - 12)
  const records = readRecords(bytes, first)
  return { records, latest: records.at(-1)?.number ?? first - 1 }
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
  return { records: [], latest: 0, setAside }
}

/**
 * The records of a file from its first number on. What follows the last one is what an earlier use of the space left, or a record
 * that was being written when the process ended. If a later record is intact, the bytes before it were damaged: it is found by
 * trying every place.
 */
function readRecords(bytes: Buffer, first: number): readonly NumberedRecord[] {
  const records: NumberedRecord[] = []
  let next = first
  for (let at = FILE_HEAD_BYTES; at + HEAD_BYTES <= bytes.length;) {
    const length = bytes.readUInt32LE(at)
    const number = bytes.readDoubleLE(at + 8)
    const end = at + HEAD_BYTES + length
    const isPlausible = end <= bytes.length && number >= next && number < next + FULL_BYTES
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

/** What is missing between `known` and the last one. */
function gapsOf(found: readonly NumberedRecord[], known: number): LeftRecords['lost'] {
  return found.flatMap(({ number }, i) => {
    const next = (found[i - 1]?.number ?? known) + 1
    return number > next ? [[next, number - 1] as const] : []
  })
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return EMPTY
    throw error
  }
}

function openSegment(path: string, latest: number): Segment {
  allocateAtOnce(path)
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | (HAS_DURABLE_WRITES ? constants.O_DSYNC : 0), 0o600)
  return { fd, end: 0, allocated: fstatSync(fd).size, latest }
}

/** The space of one use. On a disk that refuses, because it is full for instance, it is allocated when there is room. */
function allocateAtOnce(path: string): void {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    const { size } = fstatSync(fd)
    if (size < FULL_BYTES) writeSync(fd, Buffer.alloc(FULL_BYTES - size), 0, FULL_BYTES - size, size)
  } catch {
    // Records are refused until the disk takes them; the commits decide meanwhile.
  } finally {
    closeSync(fd)
  }
}

/** So that new files are still there after a power failure. */
function flushDirectory(path: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

/** Zeros, so that a later write changes neither the size of the file nor where it is stored. */
async function allocate(segment: Segment, upTo: number): Promise<void> {
  const missing = Math.ceil((upTo - segment.allocated) / STEP_BYTES) * STEP_BYTES
  await writeDurably(segment.fd, Buffer.alloc(missing), segment.allocated)
  segment.allocated += missing
}

async function writeDurably(fd: number, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await writeSome(fd, bytes.subarray(done), at + done)
  if (!HAS_DURABLE_WRITES) await flush(fd)
}

function writeSome(fd: number, bytes: Buffer, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, at, (error, written) => (error === null ? resolve(written) : reject(error)))
  })
}

function flush(fd: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(fd, (error) => (error === null ? resolve() : reject(error))))
}
