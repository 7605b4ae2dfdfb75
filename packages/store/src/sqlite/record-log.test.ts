import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LeftRecords, openRecordLog, type RecordLog, recordFiles } from './record-log.ts'

const ID = '0123456789abcdef0123456789abcdef'
const OTHER_ID = 'fedcba9876543210fedcba9876543210'
/** Sixteen of them fill a file. */
const LARGE_BYTES = 1 << 16
const NOTHING: LeftRecords = { found: [], lost: [], setAside: [] }

let directory = ''
let file = ''
let opened: RecordLog[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sluice-records-'))
  file = join(directory, 'test.db')
  opened = []
})
afterEach(async () => {
  for (const log of opened) await log.close()
  rmSync(directory, { recursive: true, force: true })
})

type Opened = ReturnType<typeof openRecordLog>

function open(id = ID, known = 0): Opened {
  const both = openRecordLog(file, id, known)
  opened.push(both.log)
  return both
}

/** Ends the process of the log, as far as the files can tell. */
async function close(log: RecordLog): Promise<void> {
  opened = opened.filter((each) => each !== log)
  await log.close()
}

function append(log: RecordLog, text: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    log.append(text, resolve)
  })
}

async function appendAll(log: RecordLog, texts: readonly string[]): Promise<void> {
  const errors = await Promise.all(texts.map((text) => append(log, text)))
  expect(errors.filter((error) => error !== undefined)).toEqual([])
}

/** Fills the file in use, and returns the numbers of its records. */
async function fill(log: RecordLog): Promise<readonly number[]> {
  const numbers: number[] = []
  // A full file stays in use until something is appended.
  do {
    await appendAll(log, [`${log.latest + 1} `.padEnd(LARGE_BYTES)])
    numbers.push(log.latest)
  } while (!log.isFull)
  return numbers
}

const textsOf = (left: LeftRecords) => left.found.map(({ text }) => text)
const numbersOf = (left: LeftRecords) => left.found.map(({ number }) => number)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const firstFile = () => recordFiles(file)[0] ?? ''
const secondFile = () => recordFiles(file)[1] ?? ''

describe('records', () => {
  it('are found by the next process, in order, and their numbers go on from there', async () => {
    const first = open()
    expect([first.left, first.log.latest]).toEqual([NOTHING, 0])
    await appendAll(first.log, ['one', 'zwei – ü', ''])
    expect(first.log.latest).toBe(3)
    await close(first.log)
    const second = open()
    const three = [
      { number: 1, text: 'one' },
      { number: 2, text: 'zwei – ü' },
      { number: 3, text: '' },
    ]
    expect([second.left, second.log.latest]).toEqual([{ ...NOTHING, found: three }, 3])
    second.log.release(3)
    await appendAll(second.log, ['four'])
    await close(second.log)
    expect(open().left).toEqual({ ...NOTHING, found: [...three, { number: 4, text: 'four' }] })
  })

  it('have numbers above one that was given out before, whatever the files say', async () => {
    const first = open(ID, 70)
    await appendAll(first.log, ['one'])
    await close(first.log)
    const second = open(ID, 70)
    expect(second.left).toEqual({ ...NOTHING, found: [{ number: 71, text: 'one' }] })
    await close(second.log)
    const third = open(ID, 90)
    expect([third.left, third.log.latest]).toEqual([NOTHING, 90])
    third.log.release(90)
    await appendAll(third.log, ['two'])
    expect(third.log.latest).toBe(91)
    await close(third.log)
    expect(open(ID, 90).left).toEqual({ ...NOTHING, found: [{ number: 91, text: 'two' }] })
  })

  it('are left only above the number that is known', async () => {
    const { log } = open()
    await appendAll(log, ['a', 'b', 'c'])
    await close(log)
    const next = open(ID, 2)
    expect([next.left, next.log.latest]).toEqual([{ ...NOTHING, found: [{ number: 3, text: 'c' }] }, 3])
  })

  it('share a write when they are appended together or during another one, and are told apart by its end', async () => {
    const { log } = open()
    const events: string[] = []
    const done = (name: string) => () => {
      events.push(name)
      // Everything else that this write made durable is said before any other code runs.
      queueMicrotask(() => events.push(`after ${name}`))
    }
    log.append('a', done('a'))
    log.append('b', done('b'))
    await Promise.resolve()
    log.append('c', done('c'))
    await append(log, 'd')
    expect(events).toEqual(['a', 'b', 'after a', 'after b', 'c', 'after c'])
  })

  it('are larger than a file, if need be', async () => {
    const text = 'large '.repeat(300_000)
    const { log } = open()
    await appendAll(log, ['before', text, 'after'])
    await close(log)
    expect(textsOf(open().left)).toEqual(['before', text, 'after'])
  })

  it('are written before their log closes', async () => {
    const { log } = open()
    const written = [append(log, 'a'), append(log, 'b'), append(log, 'c')]
    await close(log)
    expect(await Promise.all(written)).toEqual([undefined, undefined, undefined])
    expect(textsOf(open().left)).toEqual(['a', 'b', 'c'])
  })

  it('are refused once the log is closed, and not written to whatever file has its descriptor then', async () => {
    const { log } = open()
    await appendAll(log, ['a'])
    await close(log)
    const other = join(directory, 'other')
    writeFileSync(other, 'other')
    const descriptors = [openSync(other, 'r+'), openSync(other, 'r+')]
    const error = await append(log, 'b')
    for (const each of descriptors) closeSync(each)
    expect([error instanceof Error, readFileSync(other, 'utf8')]).toEqual([true, 'other'])
    expect(textsOf(open().left)).toEqual(['a'])
  })

  it('are in files that only their owner can read', async () => {
    await appendAll(open().log, ['a'])
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600])
  })

  it('of another database are set aside, and not read', async () => {
    const { log } = open(OTHER_ID)
    await fill(log)
    log.release(log.latest)
    await appendAll(log, ['secret'])
    await close(log)
    const before = recordFiles(file).map((path) => readFileSync(path))
    const own = open()
    const setAside = recordFiles(file).map((path) => `${path}.of-fedcba98`)
    expect([own.left, own.log.latest]).toEqual([{ ...NOTHING, setAside }, 0])
    await appendAll(own.log, ['mine'])
    await close(own.log)
    expect(open().left).toEqual({ ...NOTHING, found: [{ number: 1, text: 'mine' }] })
    for (const [i, path] of setAside.entries()) {
      expect(readFileSync(path).equals(before[i] ?? Buffer.alloc(0))).toBe(true)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
  })
})

describe('the two files', () => {
  it('have the space of one use from the beginning', async () => {
    const { log } = open()
    const sizes = () => recordFiles(file).map((path) => statSync(path).size)
    expect(sizes()).toEqual([1 << 20, 1 << 20])
    await appendAll(log, ['a'.repeat(500_000), 'b'.repeat(500_000)])
    expect(sizes()).toEqual([1 << 20, 1 << 20])
  })

  it('are used in turn: full, released, the other one, and so on', async () => {
    const { log } = open()
    expect(await fill(log)).toEqual(range(1, 16))
    expect(readFileSync(secondFile()).equals(Buffer.alloc(1 << 20))).toBe(true)
    log.release(16)
    expect(await fill(log)).toEqual(range(17, 32))
    log.release(32)
    await appendAll(log, ['into the first'])
    expect(log.isFull).toBe(false)
    await close(log)
    const { left } = open(ID, 16)
    expect([numbersOf(left), left.lost]).toEqual([range(17, 33), []])
  })

  it('change as soon as the other one is released, though the one in use is not', async () => {
    const { log } = open()
    await fill(log)
    log.release(16)
    await fill(log)
    await appendAll(log, ['into the first'])
    await close(log)
    const { left } = open(ID, 16)
    expect([numbersOf(left), left.lost]).toEqual([range(17, 33), []])
  })

  it('grow until the records of the other one are released', async () => {
    const { log } = open()
    await fill(log)
    log.release(16)
    await fill(log)
    await fill(log)
    // The first file has 33 to 48, and the second one still holds 32.
    log.release(31)
    const size = statSync(firstFile()).size
    for (let more = 0; more < 20; more++) await appendAll(log, [`more ${more}`.padEnd(LARGE_BYTES)])
    expect(statSync(firstFile()).size).toBeGreaterThan(size + 19 * LARGE_BYTES)
    expect(log.isFull).toBe(true)
    await close(log)
    const { left } = open(ID, 16)
    expect([numbersOf(left), left.lost]).toEqual([range(17, log.latest), []])
  })

  it('never show what an earlier use of their space left', async () => {
    const { log } = open()
    // All of the same length, so that an old record begins where a new one ends.
    const text = (number: number) => `${number}`.padEnd(LARGE_BYTES)
    // So the first file is used a second time.
    for (const last of [16, 32]) {
      while (log.latest < last) await appendAll(log, [text(log.latest + 1)])
      log.release(log.latest)
    }
    await appendAll(log, [text(33), text(34)])
    await close(log)
    // As if nothing were known: so those of 1 to 16 would be found, were they read.
    const { left } = open()
    expect([numbersOf(left), left.lost]).toEqual([range(17, 34), [[1, 16]]])
  })
})
