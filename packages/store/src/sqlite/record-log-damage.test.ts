import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LeftRecords, openRecordLog, type RecordLog, recordFiles } from './record-log.ts'

const ID = '0123456789abcdef0123456789abcdef'
/** More than the small records of these tests need. The zeros after them are only read, slowly. */
const SMALL_BYTES = 1 << 10

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

function open(id = ID, known = 0, at = file): Opened {
  const both = openRecordLog(at, id, known)
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

const textsOf = (left: LeftRecords) => left.found.map(({ text }) => text)
const numbersOf = (left: LeftRecords) => left.found.map(({ number }) => number)
const firstFile = () => recordFiles(file)[0] ?? ''
const secondFile = () => recordFiles(file)[1] ?? ''

/** Overwrites a record of the first file, from its head on. */
function damage(text: string): void {
  const bytes = readFileSync(firstFile())
  const at = bytes.indexOf(text)
  bytes.fill(0xa5, at - 16, at + Buffer.byteLength(text))
  writeFileSync(firstFile(), bytes)
}

/** Places in the file where records end, in their order. */
function endsOf(bytes: Buffer, texts: readonly string[]): readonly number[] {
  return texts.map((text) => bytes.indexOf(text) + Buffer.byteLength(text))
}

describe('what a crash or the disk did to a file', () => {
  const TEXTS = ['first', 'zweite ü', 'third']

  /** The first file with these records, without most of the zeros that follow them. */
  async function record(texts: readonly string[]): Promise<Buffer> {
    const { log } = open()
    await appendAll(log, texts)
    await close(log)
    return readFileSync(firstFile()).subarray(0, SMALL_BYTES)
  }

  /** Opens damaged copies of the same file, one for each byte of all records but the first, and appends to them. */
  async function openDamaged(harm: (bytes: Buffer, at: number) => Uint8Array): Promise<number> {
    const bytes = await record(TEXTS)
    const ends = endsOf(bytes, TEXTS)
    const [from = 0] = ends
    const to = ends.at(-1) ?? 0
    for (let at = from; at < to; at++) {
      const copy = join(directory, `at-${at}`)
      const paths = recordFiles(copy)
      writeFileSync(paths[0] ?? '', harm(bytes, at))
      const intact = TEXTS.filter((_, i) => (ends[i] ?? 0) <= at)
      const next = open(ID, 0, copy)
      const found = intact.map((text, i) => ({ number: i + 1, text }))
      expect([at, next.left]).toEqual([at, { found, lost: [], setAside: [] }])
      next.log.release(next.log.latest)
      await appendAll(next.log, ['afterwards'])
      await close(next.log)
      for (const path of paths) truncateSync(path, SMALL_BYTES)
      const last = open(ID, 0, copy)
      expect([textsOf(last.left), last.left.lost]).toEqual([[...intact, 'afterwards'], []])
      expect(last.log.latest).toBe(intact.length + 1)
      await close(last.log)
      for (const path of paths) rmSync(path)
    }
    return to - from
  }

  it('leaves what was whole, wherever the file was cut', async () => {
    expect(await openDamaged((bytes, at) => bytes.subarray(0, at))).toBeGreaterThan(40)
  })

  it.each([
    { what: 'zeros', byte: () => 0 },
    { what: 'ones', byte: () => 0xff },
    { what: 'other bytes', byte: (was: number, i: number) => was ^ (((i * 31) % 255) + 1) },
  ])('leaves what was whole, wherever $what begin', { tags: 'slow' }, async ({ byte }) => {
    const visited = await openDamaged((bytes, at) => bytes.map((was, i) => (i < at ? was : byte(was, i))))
    expect(visited).toBeGreaterThan(40)
  })

  it('is noticed when one byte of a record is wrong, and what follows it is found', async () => {
    const bytes = await record(TEXTS)
    const [from = 0, to = 0] = endsOf(bytes, TEXTS)
    for (let at = from; at < to; at++) {
      const copy = join(directory, `at-${at}`)
      const [path = ''] = recordFiles(copy)
      writeFileSync(
        path,
        bytes.map((was, i) => (i === at ? was ^ 0x10 : was)),
      )
      const { log, left } = open(ID, 0, copy)
      expect([at, numbersOf(left), left.lost, log.latest]).toEqual([at, [1, 3], [[2, 2]], 3])
      await close(log)
    }
  })

  it('is reported by number', async () => {
    await record(['first', 'second', 'third', 'fourth', 'fifth', 'sixth'])
    damage('second')
    damage('fourth')
    damage('fifth')
    const { log, left } = open()
    const lost = [
      [2, 2],
      [4, 5],
    ]
    expect([numbersOf(left), left.lost, log.latest]).toEqual([[1, 3, 6], lost, 6])
    await close(log)
    // Of those that are known, nothing need be said.
    expect(open(ID, 4).left.lost).toEqual([[5, 5]])
  })

  it('is reported for the first record of a file too', async () => {
    await record(['first', 'second', 'third'])
    damage('first')
    const { left } = open()
    expect([numbersOf(left), left.lost]).toEqual([[2, 3], [[1, 1]]])
  })

  it('is reported when the beginning of a file is damaged, and only the other one is found', async () => {
    const { log } = open()
    for (let number = 1; number <= 16; number++) await appendAll(log, [`${number} `.padEnd(1 << 16)])
    expect(log.isFull).toBe(true)
    log.release(16)
    await appendAll(log, ['into the second', 'and on'])
    await close(log)
    const bytes = readFileSync(firstFile())
    bytes.fill(0xa5, 0, 64)
    writeFileSync(firstFile(), bytes)
    // The tables have those up to 10.
    const next = open(ID, 10)
    const setAside = `${firstFile()}.damaged`
    expect([numbersOf(next.left), next.left.lost, next.left.setAside]).toEqual([[17, 18], [[11, 16]], [setAside]])
    expect(readFileSync(setAside).equals(bytes)).toBe(true)
    next.log.release(18)
    await appendAll(next.log, ['afterwards'])
    await close(next.log)
    expect(open(ID, 18).left).toEqual({ found: [{ number: 19, text: 'afterwards' }], lost: [], setAside: [] })
  })

  it('is noticed wherever the byte of the beginning is that is wrong', { tags: 'slow' }, async () => {
    const bytes = await record(TEXTS)
    for (let at = 0; at < 64; at++) {
      const copy = join(directory, `at-${at}`)
      const [path = ''] = recordFiles(copy)
      const wrong = bytes.map((was, i) => (i === at ? was ^ 0x10 : was))
      writeFileSync(path, wrong)
      const { log, left } = open(ID, 0, copy)
      expect([at, left]).toEqual([at, { found: [], lost: [], setAside: [`${path}.damaged`] }])
      expect(readFileSync(`${path}.damaged`).equals(wrong)).toBe(true)
      await close(log)
    }
  })

  it('is no obstacle when a file holds something else altogether', async () => {
    writeFileSync(firstFile(), 'not records at all')
    writeFileSync(secondFile(), Buffer.alloc(100_000, 0x73))
    const { log, left } = open()
    const setAside = recordFiles(file).map((path) => `${path}.damaged`)
    expect([left, log.latest]).toEqual([{ found: [], lost: [], setAside }, 0])
    expect(setAside.map((path) => readFileSync(path, 'latin1'))).toEqual(['not records at all', 's'.repeat(100_000)])
    await appendAll(log, ['a', 'b'])
    await close(log)
    expect(textsOf(open().left)).toEqual(['a', 'b'])
  })
})

/** Runs a program on this log in a process whose files cannot grow beyond that many blocks of 512 bytes, and returns what it printed. */
function runLimited(blocks: number, program: string): string {
  const source = `
    import { openRecordLog } from '${new URL('./record-log.ts', import.meta.url).href}'
    const { log } = openRecordLog(${JSON.stringify(file)}, '${ID}', 0)
    const append = (text) => new Promise((resolve) => log.append(text, (error) => resolve(error?.code ?? 'durable')))
    ${program}`
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', source]
  const child = spawnSync('sh', ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', ...node], { encoding: 'utf8' })
  expect(child.stderr).toBe('')
  return child.stdout.trim()
}

describe.skipIf(process.platform === 'win32')('a write that the disk refuses', () => {
  it('is reported, and what fits is recorded afterwards', async () => {
    // There is space for 320 KB; no more is available.
    const printed = runLimited(
      640,
      `const said = [await append('before')]
      said.push(await append('x'.repeat(400_000)))
      said.push(await append('after'), log.latest)
      await log.close()
      console.log(said.join(' '))`,
    )
    expect(printed).toBe('durable EFBIG durable 3')
    const found = [
      { number: 1, text: 'before' },
      { number: 3, text: 'after' },
    ]
    expect(open().left).toEqual({ found, lost: [[2, 2]], setAside: [] })
  })

  it('leaves nothing behind when it was broken off in the middle', async () => {
    // Both files have their space, so what fails is the write of the records themselves.
    for (const text of ['first', 'second']) {
      const { log } = open()
      log.release(log.latest)
      await appendAll(log, [text])
      await close(log)
    }
    const printed = runLimited(
      200,
      `log.release(log.latest)
      const records = [append('begins the file')]
      await undefined
      // These share a write: of it, the first record and half of the second get to the disk.
      records.push(append('y'.repeat(1_000)), append('z'.repeat(200_000)))
      const said = await Promise.all(records)
      said.push(await append('over the torn ones'), await append('and on'), log.latest)
      await log.close()
      console.log(said.join(' '))`,
    )
    expect(printed).toBe('durable EFBIG EFBIG durable durable 7')
    const found = [
      { number: 2, text: 'second' },
      { number: 3, text: 'begins the file' },
      { number: 6, text: 'over the torn ones' },
      { number: 7, text: 'and on' },
    ]
    expect(open(ID, 1).left).toEqual({ found, lost: [[4, 5]], setAside: [] })
  })

  it('does not end the log when there is no space, not even for one record', async () => {
    const printed = runLimited(
      1,
      `console.log(await append('a'.repeat(512)), await append('b'.repeat(512)), log.latest)
      await log.close()`,
    )
    expect(printed).toBe('EFBIG EFBIG 2')
    const { log, left } = open()
    expect([left, log.latest]).toEqual([{ found: [], lost: [], setAside: [] }, 0])
  })
})
