import { appendFileSync } from 'node:fs'
import type { Answered } from './load.ts'
import type { RoundFindings } from './world.ts'

const PROGRESS_EVERY = 10

/** Adds up the rounds of a kill test: one line for ten rounds, one for all of them. */
export class Tally {
  readonly #name: string
  #rounds = 0
  #requests = 0
  #complete = 0
  #corrected = 0
  #remarks: string[] = []
  #wrong = { uncharged: 0, double: 0, mismatch: 0 }

  /** `name` says what was killed. */
  constructor(name: string) {
    this.#name = name
  }

  add({ requests, answers }: Answered, { charges, invariants }: RoundFindings): void {
    this.#rounds += 1
    this.#requests += requests
    this.#complete += answers.length
    this.#corrected += charges.corrected
    for (const { wrong } of charges.wrong) this.#wrong[wrong] += 1
    this.#wrong.mismatch += invariants.length
    if (this.#rounds % PROGRESS_EVERY === 0) process.stdout.write(`${this.line()}\n`)
  }

  /** Adds something to the line. */
  remark(text: string): void {
    this.#remarks.push(text)
  }

  /** A mismatch is a charge that differs from what its answer costs, or a ledger invariant that does not hold. */
  line(): string {
    const { uncharged, double, mismatch } = this.#wrong
    const parts = [
      `${this.#rounds} rounds`,
      `${this.#requests} requests`,
      `${this.#complete} complete answers`,
      `${this.#complete - uncharged} charged (${this.#corrected} corrected late)`,
      `${uncharged} uncharged`,
      `${double} double`,
      `${mismatch} mismatches`,
      ...this.#remarks,
    ]
    return `${this.#name}: ${parts.join(', ')}`
  }

  /** Prints the line, or adds it to the summary of the whole test run when there is one. */
  report(): void {
    const summary = process.env['SLUICE_TEST_SUMMARY']
    if (summary === undefined) process.stdout.write(`${this.line()}\n`)
    else appendFileSync(summary, `\n${this.line()}\n`)
  }
}
