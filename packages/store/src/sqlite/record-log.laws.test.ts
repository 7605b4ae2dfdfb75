// @module-tag slow
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openRecordLog, type RecordLog, recordFiles } from './record-log.ts'

const ID = '0123456789abcdef0123456789abcdef'
const RUNS = 20

type Step =
  /** Appends records of these sizes at once. */
  | { readonly do: 'append'; readonly sizes: readonly number[]; readonly isAwaited: boolean }
  /** Releases this share of what is on disk, in percent. */
  | { readonly do: 'release'; readonly share: number }
  | { readonly do: 'reopen' }
  /** The process ends in the middle of whatever it writes. */
  | { readonly do: 'crash' }

/** Some so large that a few of them fill a file. */
const size = fc.oneof(fc.nat(200), fc.nat(70_000), fc.integer({ min: 200_000, max: 400_000 }))
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      sizes: fc.array(size, { minLength: 1, maxLength: 6 }),
      isAwaited: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('release' as const), share: fc.integer({ min: 50, max: 100 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
)

/** A log, and beside it what its records should be. */
class Model {
  readonly #directory: string
  #file: string
  #log: RecordLog
  #copies = 0
  /** By number. */
  readonly #texts = new Map<number, string>()
  /** The latest of those that were said to be on disk; they get there in order. */
  #durable = 0
  #released = 0
  #last = 0
  #pending: Promise<void>[] = []
  /** How often a file was written. */
  turns = 0

  constructor(directory: string) {
    this.#directory = directory
    this.#file = join(directory, 'test.db')
    this.#log = openRecordLog(this.#file, ID, 0).log
  }

  async run(each: Step): Promise<void> {
    if (each.do === 'append') {
      for (const bytes of each.sizes) this.#append(bytes)
      if (each.isAwaited) await Promise.all(this.#pending.splice(0))
    } else if (each.do === 'release') {
      this.#released = Math.max(this.#released, Math.floor((this.#durable * each.share) / 100))
      if (this.#log.isFull) this.turns += 1
      this.#log.release(this.#released)
    } else {
      if (each.do === 'reopen') await this.#log.close()
      await this.#restart(each.do === 'reopen')
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#pending)
    await this.#log.close()
    await this.#restart(true)
    await this.#log.close()
  }

  #append(bytes: number): void {
    // No two are equal, whatever their numbers.
    const text = `${(this.#last += 1)} `.padEnd(bytes, `${this.#last % 10}`)
    const log = this.#log
    this.#pending.push(
      new Promise((resolve, reject) => {
        const number = log.append(text, (error) => {
          if (error !== undefined) return reject(error)
          // What is said after a crash is heard by nobody.
          if (log === this.#log) this.#durable = Math.max(this.#durable, number)
          resolve()
        })
        this.#texts.set(number, text)
      }),
    )
  }

  /** Opens a copy of the files as they are now, and compares. */
  async #restart(isClosed: boolean): Promise<void> {
    const before = this.#file
    this.#file = join(this.#directory, `copy-${(this.#copies += 1)}.db`)
    const files = recordFiles(this.#file)
    for (const [i, path] of recordFiles(before).entries()) copyFileSync(path, files[i] ?? '')
    const [earlier, pending] = [this.#log, this.#pending.splice(0)]
    const { log, left } = openRecordLog(this.#file, ID, this.#released)
    this.#log = log
    const needed = [...this.#texts.keys()].filter((number) => number > this.#released && number <= this.#durable)
    const found = new Map(left.found.map(({ number, text }) => [number, text]))
    expect(needed.filter((number) => !found.has(number))).toEqual([])
    for (const [number, text] of found) expect([number, text === this.#texts.get(number)]).toEqual([number, true])
    const numbers = [...found.keys()]
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers.every((number) => number > this.#released)).toBe(true)
    expect(left.setAside).toEqual([])
    // Of a write that was under way, anything may be missing; each of its records is still unanswered.
    expect(left.lost.filter(([from]) => isClosed || from <= this.#durable)).toEqual([])
    expect(log.latest).toBeGreaterThanOrEqual(this.#durable)
    for (const number of this.#texts.keys()) if (number > log.latest) this.#texts.delete(number)
    this.#durable = log.latest
    this.#released = log.latest
    log.release(log.latest)
    await Promise.all(pending)
    if (!isClosed) await earlier.close()
  }
}

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-records-'))
  try {
    await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describe('a record log', () => {
  it(
    'keeps what is on disk and not released, whenever its process ends, and finds nothing else',
    { timeout: 300_000 },
    async () => {
      let turns = 0
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
        async (steps) => {
          await inDirectory(async (directory) => {
            const model = new Model(directory)
            for (const each of steps) await model.run(each)
            await model.end()
            turns += model.turns
          })
        },
      )
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
      expect(turns).toBeGreaterThan(0)
    },
  )

  it(
    'finds every record before a damaged place, and no other than were appended after it',
    { timeout: 120_000 },
    async () => {
      const texts = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 1, maxLength: 12 })
      const damages = fc.array(
        fc.record({ at: fc.nat(1_000_000), bytes: fc.uint8Array({ minLength: 1, maxLength: 80 }) }),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      const property = fc.asyncProperty(texts, damages, async (given, harm) => {
        await inDirectory(async (directory) => {
          const file = join(directory, 'test.db')
          const [path = '', unused = ''] = recordFiles(file)
          const { log } = openRecordLog(file, ID, 0)
          // Each begins with its number, so that no two are equal.
          const appended = given.map((text, i) => `${i}:${text.toWellFormed()}`)
          await Promise.all(appended.map((text) => new Promise<unknown>((resolve) => log.append(text, resolve))))
          await log.close()
          // Without most of the zeros that follow the records; they are only read, slowly.
          const bytes = readFileSync(path).subarray(0, 8_192)
          let at = 0
          const ends = appended.map((text) => (at = bytes.indexOf(text, at) + Buffer.byteLength(text)))
          // Somewhere behind the head of the file; beyond the last record there is nothing to damage.
          const from = 64
          const places = harm.map((each) => ({ ...each, at: from + (each.at % ((ends.at(-1) ?? 0) - from)) }))
          for (const each of places) bytes.set(each.bytes, each.at)
          writeFileSync(path, bytes)
          rmSync(unused)
          const { log: next, left } = openRecordLog(file, ID, 0)
          await next.close()
          const first = Math.min(...places.map((each) => each.at))
          const intact = ends.filter((end) => end <= first).length
          expect(left.found.slice(0, intact).map(({ text }) => text)).toEqual(appended.slice(0, intact))
          for (const { number, text } of left.found) expect(text).toBe(appended[number - 1])
          const lost = left.lost.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))
          const numbers = [...left.found.map(({ number }) => number), ...lost].toSorted((a, b) => a - b)
          // Up to the last one that is found, each is either found or lost.
          expect(numbers).toEqual(numbers.map((_, i) => i + 1))
          expect(numbers.at(-1) ?? 0).toBe(left.found.at(-1)?.number ?? 0)
        })
      })
      await fc.assert(property, { numRuns: 100, endOnFailure: true })
    },
  )
})
