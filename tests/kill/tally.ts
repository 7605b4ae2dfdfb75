import { appendFileSync } from 'node:fs'
import type { Answered } from './load.ts'
import type { RoundFindings } from './world.ts'

const PROGRESS_EVERY = 10

/** Sums up the rounds of a kill test: one line per ten rounds, and one for all. */
export class Tally {
  readonly #name: string
  #rounds = 0
  #requests = 0
  #complete = 0
  #corrected = 0
  #remarks: string[] = []
  #wrong = { uncharged: 0, double: 0, mismatch: 0 }

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

  remark(text: string): void {
    this.#remarks.push(text)
  }

  /** A mismatch is a wrong charge for an answer, or a violated invariant of the ledger. */
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

  /** Prints the line, or adds it to the summary of the whole test run. */
  report(): void {
    const summary = process.env['SLUICE_TEST_SUMMARY']
    if (summary === undefined) process.stdout.write(`${this.line()}\n`)
    else appendFileSync(summary, `\n${this.line()}\n`)
  }
}
