import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRecordLog, recordFiles } from './record-log.ts'

const ID = '0123456789abcdef0123456789abcdef'
/** Of a file: magic, id, first number and checksum. */
const FILE_HEAD_BYTES = 64
/** Of a record: length, checksum and number. */
const HEAD_BYTES = 16
/** By their numbers, two in each file. */
const TEXTS: ReadonlyMap<number, string> = new Map([
  [1, 'one'],
  [2, 'zwei ü'],
  [3, 'trois'],
  [4, '4'],
])

let directory: string
/** Both files, without the zeros that follow their records. */
let files: readonly Buffer[]

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sluice-records-'))
  const file = join(directory, 'test.db')
  for (const numbers of [
    [1, 2],
    [3, 4],
  ]) {
    const { log } = openRecordLog(file, ID, 0)
    log.release(log.latest)
    const texts = numbers.map((number) => TEXTS.get(number) ?? '')
    expect(await Promise.all(texts.map((text) => new Promise((resolve) => log.append(text, resolve))))).toEqual([
      undefined,
      undefined,
    ])
    await log.close()
  }
  files = recordFiles(file).map((path) => {
    const bytes = readFileSync(path)
    return bytes.subarray(0, Math.max(...placesOf(bytes).map(({ to }) => to)))
  })
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The records of a file, and where each is. */
function placesOf(bytes: Buffer): readonly { readonly number: number; readonly from: number; readonly to: number }[] {
  return [...TEXTS].flatMap(([number, text]) => {
    const at = bytes.indexOf(text, FILE_HEAD_BYTES + HEAD_BYTES)
    return at < 0 ? [] : [{ number, from: at - HEAD_BYTES, to: at + Buffer.byteLength(text) }]
  })
}

describe('both files of a record log', () => {
  it('hold two records each', () => {
    expect(files.map((bytes) => placesOf(bytes).map(({ number }) => number))).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(files.map((bytes) => placesOf(bytes)[0]?.from)).toEqual([FILE_HEAD_BYTES, FILE_HEAD_BYTES])
  })

  it.each<{ what: string; width: number; harm: (bytes: Buffer, at: number) => Uint8Array }>([
    { what: 'a bit is wrong', width: 1, harm: (bytes, at) => withBitWrong(bytes, at) },
    {
      what: 'some bytes are missing',
      width: 5,
      harm: (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 5)]),
    },
    { what: 'the file ends', width: Infinity, harm: (bytes, at) => bytes.subarray(0, at) },
    { what: 'zeros begin', width: Infinity, harm: (bytes, at) => Buffer.from(bytes).fill(0, at) },
  ])('never give a wrong record, and give all that are whole, wherever $what', async ({ harm, width }) => {
    let visited = 0
    for (const [which, bytes] of files.entries()) {
      for (let at = 0; at < bytes.length; at++) {
        const damaged = harm(bytes, at)
        if (bytes.equals(damaged)) continue
        visited += 1
        const copy = join(directory, 'copy.db')
        for (const [i, path] of recordFiles(copy).entries())
          writeFileSync(path, i === which ? damaged : (files[i] ?? ''))
        const { log, left } = openRecordLog(copy, ID, 0)
        await log.close()
        for (const path of [...recordFiles(copy), ...left.setAside]) rmSync(path)
        const where = { which, at }
        for (const { number, text } of left.found) expect([where, text]).toEqual([where, TEXTS.get(number)])
        const numbers = left.found.map(({ number }) => number)
        const isSpared = ({ from, to }: { from: number; to: number }): boolean =>
          at >= FILE_HEAD_BYTES && (to <= at || from >= at + width)
        const whole = [...placesOf(files[1 - which] as Buffer), ...placesOf(bytes).filter(isSpared)]
        expect([where, numbers]).toEqual([where, whole.map(({ number }) => number).toSorted((a, b) => a - b)])
        // What is left of a file without its whole head is kept for a person to look at.
        const isKept = at < FILE_HEAD_BYTES && damaged.some((byte) => byte !== 0)
        expect([where, left.setAside.length]).toEqual([where, isKept ? 1 : 0])
        const lost = left.lost.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))
        const told = [...numbers, ...lost].toSorted((a, b) => a - b)
        // Up to the last one that is found, each is found or lost.
        expect([where, told]).toEqual([where, [1, 2, 3, 4].slice(0, numbers.at(-1))])
        expect(log.latest).toBe(numbers.at(-1))
      }
    }
    expect(visited).toBeGreaterThan(150)
  })
})

/** Another bit at each place. */
function withBitWrong(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8))
  return copy
}
