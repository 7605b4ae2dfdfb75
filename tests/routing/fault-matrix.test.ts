import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultPage } from './fault-page.ts'
import { type FaultRow, meetFaults, meetMiddleFaults, type MiddleRow, type RequestOutcome } from './fault-rows.ts'
import { type MatrixWorld, openMatrixWorld } from './matrix-world.ts'

/** The results of every way in which a provider can fail, which the tests below examine. */
let matrix: MatrixWorld
let rows: readonly FaultRow[]
let middle: readonly MiddleRow[]

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'faults.md')
/** Length of the emulator's short answer. */
const WORDS = 16

beforeAll(async () => {
  matrix = await openMatrixWorld()
  rows = await meetFaults(matrix)
  middle = await meetMiddleFaults(matrix)
})
afterAll(() => matrix.close())

const WHOLE = { status: 200, words: WORDS, isWhole: true, error: '', unreadable: 0 }
const CHARGED_WHOLE = { rule: 'complete', isEstimated: false }
const BROKEN_OFF = { rule: 'upstream_broken', isEstimated: true }

/** Shows the whole outcome when the test fails. */
function expectOutcome(outcome: RequestOutcome, isRight: boolean): void {
  expect(isRight, JSON.stringify(outcome)).toBe(true)
}

const isInStream = ({ fault, stream }: FaultRow) => stream && fault.shows === 'inside'

describe('a failing channel alone', () => {
  test('is a clear error and costs nothing, unless something was delivered', () => {
    for (const { alone } of rows.filter((row) => row.fault.shows !== 'never' && !isInStream(row))) {
      const { got, kept } = alone
      expectOutcome(alone, got.status >= 400 && got.error !== '' && got.unreadable === 0 && kept.charged === '')
    }
  })

  test('never shows whose key was refused', () => {
    const refused = rows.filter(({ rested }) => rested?.cause === 'account')
    expect(refused.map(({ fault }) => fault.as)).toContain('emu-error-401')
    for (const { alone } of refused) expectOutcome(alone, alone.got.status === 502 && !/key/.test(alone.got.error))
  })

  test('ends a stream that breaks with an error and no end, and what arrived is charged', () => {
    for (const { alone } of rows.filter(isInStream)) {
      const { got, kept } = alone
      expectOutcome(
        alone,
        got.status === 200 && got.words > 0 && !got.isWhole && got.error !== '' && got.unreadable === 0,
      )
      expect(kept.charged, JSON.stringify(alone)).toMatchObject(BROKEN_OFF)
    }
  })

  test('that is slow but sound is neither failed nor charged otherwise', () => {
    for (const { alone, beside } of rows.filter(({ fault }) => fault.shows === 'never')) {
      for (const { got, kept } of [alone, beside]) {
        expect(got).toMatchObject({ status: 200, words: 3, isWhole: true })
        expect(kept).toMatchObject({ charged: CHARGED_WHOLE, attempts: [{ status: 200 }], rests: [] })
      }
    }
  })

  test('cools down: at once where it asks to or clearly refuses the key, after several failures otherwise, never for the user’s mistakes', () => {
    for (const { fault, rested } of rows.filter((row) => row.fault.shows !== 'never')) {
      if (fault.whose === 'request') {
        expect(rested).toBeUndefined()
        continue
      }
      expect(rested, fault.name).toBeDefined()
      expect(rested?.shownCause, fault.name).toBe(rested?.cause)
      expect(rested?.isAtOnce, `${fault.name} ${JSON.stringify(rested)}`).toBe(
        rested?.cause !== 'failing' && fault.as !== 'emu-error-403',
      )
    }
  })
})

describe('a failing channel beside a good one', () => {
  test('goes unnoticed by the client: the good one answers, and only its answer is charged', () => {
    const hidden = rows.filter(
      (row) => row.fault.shows !== 'never' && row.fault.whose === undefined && !isInStream(row),
    )
    expect(hidden.length).toBeGreaterThan(30)
    for (const { fault, beside } of hidden) {
      expect(beside.got, fault.name).toMatchObject(WHOLE)
      expect(beside.kept, fault.name).toMatchObject({ charged: CHARGED_WHOLE })
      // A connection that closes before the first byte is retried, because kept-alive ones are closed now and then.
      const tries = fault.as === 'emu-cut-before' ? 3 : 2
      expect(beside.kept.attempts, fault.name).toHaveLength(tries)
      expect(beside.kept.attempts.at(-1), fault.name).toMatchObject({ channel_name: 'good', status: 200, error: '' })
    }
  })

  test('is not called by the next request while it cools down', () => {
    const left = rows.flatMap(({ fault, next }) => (next === undefined ? [] : [{ fault, next }]))
    const causes = new Set(left.map(({ fault }) => fault.as))
    expect([...causes]).toEqual(
      expect.arrayContaining(['emu-error-401', 'emu-limited-7', 'emu-error-503', 'emu-spent']),
    )
    for (const { fault, next } of left) {
      expect(next.got, fault.name).toMatchObject(WHOLE)
      expect(next.kept.attempts, fault.name).toMatchObject([{ channel_name: 'good', status: 200 }])
    }
  })

  test('gets no second chance once something was delivered, nor for the user’s own mistake', () => {
    for (const { fault, alone, beside } of rows.filter((row) => isInStream(row) || row.fault.whose === 'request')) {
      expect(beside.kept.attempts, fault.name).toHaveLength(1)
      expect({ ...beside.got, requestId: '' }).toEqual({ ...alone.got, requestId: '' })
    }
  })
})

test('in every dialect a stream that breaks ends with an error, without the end of a sound one, and what arrived is charged', () => {
  for (const { client, provider, fault, outcome } of middle) {
    const { got, kept } = outcome
    const where = `${fault.name}, ${client} from ${provider}: ${JSON.stringify(outcome)}`
    expect(got, where).toMatchObject({ status: 200, isWhole: false, unreadable: 0 })
    expect(got.words, where).toBeGreaterThan(0)
    expect(got.error, where).not.toBe('')
    // Counted here, unless the provider reported its count after the unreadable part.
    expect(kept.charged, where).toMatchObject({ rule: BROKEN_OFF.rule })
  }
})

test('the ledger balances', () => matrix.world.verify())

test('the page of faults is up to date', async () => {
  await expect(faultPage(rows, middle)).toMatchFileSnapshot(PAGE)
})
