import { MS_PER_DAY } from '@sluice/ledger/budget-window'
import type { Settlement } from '@sluice/ledger/operation'
import { mq, mqFromQuota } from '@sluice/ledger/units'
import { expect } from 'vitest'
import { untilIdle } from '../manual-timers.ts'
import { testRedeem, testRefund, testSettlement, type TestPayer, testTrace } from './ledger-operations.ts'
import type { LedgerProcess, Trouble } from './ledger-process.ts'
import type { PromisedQuota, PromisedRequest, Settled } from './ledger-promises.ts'

/** Codes from 1 to this number exist. */
export const CODES = 6
export const CODE_QUOTA = 50

export const STEP_KINDS = {
  hold: 11,
  settle: 8,
  burst: 5,
  again: 4,
  withdraw: 1,
  void: 2,
  renew: 1,
  extend: 5,
  refund: 1,
  move: 3,
  redeem: 1,
  budget: 2,
  wait: 8,
  read: 2,
  commits: 4,
  poison: 3,
  clock: 1,
} as const

/** A request to a ledger, or an event; each kind uses only some fields. */
export interface SessionStep {
  readonly kind: keyof typeof STEP_KINDS
  /** Tens of quota. */
  readonly tens: number
  /** Relative to what can be left, or to a hold: a small part, all of it, or more. */
  readonly size: 'small' | 'all' | 'above'
  readonly which: number
  readonly flag: boolean
  /** Whether the next step waits for all effects of this one. */
  readonly isCalm: boolean
  readonly ms: number
  readonly commits: Trouble['commits']
  readonly days: number
}

/** Net charges of requests, in mq. */
export const NETS = `select coalesce(refers_to, request_id) as id, sum(kind = 'consume') as charges,
    sum(case when kind in ('consume', 'adjust') then amount else -amount end) as net
  from transfer where kind in ('consume', 'adjust', 'refund', 'admin-refund') group by 1 order by 1`

export function allowedNets({
  settled,
  progress,
  refunded,
  refunding,
}: PromisedRequest): readonly (number | undefined)[] {
  const last = settled.at(-1)
  if (last?.answer === 'charged') return [last.amount - refunded, last.amount - refunded - refunding]
  const amounts = settled.map(({ amount }) => amount)
  return settled[0]?.answer === 'charged' ? amounts : [undefined, ...progress, ...amounts]
}

/** One process, its steps and its answers until it ends. */
export class LedgerSession {
  readonly #one: LedgerProcess
  readonly #name: string
  readonly #payers: readonly TestPayer[]
  readonly quota: PromisedQuota
  /** Confirmed amounts by id, in mq; negative when taken away. */
  readonly moved = new Map<string, bigint>()
  reads = 0
  readonly #faults: unknown[] = []
  #ended = false
  #ahead = 0
  #settlements = 0

  constructor(one: LedgerProcess, name: string, quota: PromisedQuota, payers: readonly TestPayer[]) {
    this.#one = one
    this.#payers = payers
    this.#name = name
    this.quota = quota
  }

  get #day(): number {
    return Math.floor((this.#one.timers.now() + this.#ahead) / MS_PER_DAY)
  }

  async run(steps: readonly SessionStep[], end: 'stop' | 'crash', aheadMs: number): Promise<number> {
    this.#ahead = aheadMs
    this.#one.trouble({ aheadMs })
    for (const [i, given] of steps.entries()) {
      if (given.kind === 'wait') {
        await untilIdle()
        await this.#one.timers.advance(given.ms)
      } else this.#act(given, `${this.#name}-${i}`)
      this.#checkComfort()
      if (given.isCalm) await untilIdle()
      this.#checkComfort()
      if (this.#faults.length > 0) throw this.#faults[0]
    }
    if (end === 'stop') await this.#stop()
    if (this.#faults.length > 0) throw this.#faults[0]
    this.#ended = true
    return this.#ahead
  }

  /** With all troubles over, everything is answered and in the tables. */
  async #stop(): Promise<void> {
    const { ledger, timers } = this.#one
    this.#one.trouble({ commits: 'work', poisoned: undefined })
    await untilIdle()
    await timers.advance(30_000)
    await untilIdle()
    expect(this.quota.requests.filter(({ isBusy }) => isBusy)).toEqual([])
    expect([ledger.stuck, ledger.backlog]).toEqual([false, 0])
    const closed = ledger.close()
    await timers.advance(15_000)
    await closed
  }

  /** `isComfortable` must be false for more than an account can have left. */
  #checkComfort(): void {
    for (const account of new Set(this.#payers.flatMap((each) => [each.account, each.limitAccount]))) {
      if (this.quota.isOverdrawn(account)) continue
      const left = this.quota.leftAtMost(account)
      const tooMuch = mq(BigInt(Math.max(0, Math.floor(left * 100) + 1)))
      expect([left, this.#one.ledger.isComfortable(account, tooMuch)], `comfort of ${account}`).toEqual([left, false])
    }
  }

  #checkAdmitted({ payer }: PromisedRequest, day: number, since: number): void {
    for (const account of [payer.account, payer.limitAccount]) {
      if (this.quota.isOverdrawn(account)) continue
      expect(this.quota.leftAtMost(account, since), `left of ${account}`).toBeGreaterThanOrEqual(0)
      expect(this.quota.budgetLeft(account, day, since) ?? 0, `budget of ${account}`).toBeGreaterThanOrEqual(0)
    }
  }

  #pick(which: number, fits: (request: PromisedRequest) => boolean): PromisedRequest | undefined {
    const all = this.quota.requests.filter(fits)
    return all.at(which % 3 === 0 ? which % Math.max(1, all.length) : -1)
  }

  #answered<Answer>(promise: Promise<Answer>, then: (answer: Answer) => void): void {
    promise
      .then((answer) => {
        if (!this.#ended) then(answer)
      })
      .catch((error: unknown) => this.#faults.push(error))
  }

  #busy<Answer>(request: PromisedRequest, promise: Promise<Answer>, then: (answer: Answer) => void): void {
    request.isBusy = true
    this.#answered(promise, (answer) => {
      request.isBusy = false
      then(answer)
    })
  }

  #hold(
    id: string,
    payer: TestPayer,
    quota: number,
    durable: boolean,
    then?: (request: PromisedRequest) => void,
  ): void {
    const request: PromisedRequest = {
      id,
      payer,
      isBusy: true,
      isOver: false,
      isAdmitted: false,
      held: 0,
      asked: quota,
      settled: [],
      progress: [undefined],
      refunded: 0,
      refunding: 0,
    }
    this.quota.requests.push(request)
    const [since, day] = [this.quota.now(), this.#day]
    const held = this.#one.ledger.hold({ requestId: id, ...payer, amount: mqFromQuota(quota), durable })
    this.#busy(request, held, (answer) => {
      if (answer !== 'held') return void (request.isOver = true)
      Object.assign(request, { isAdmitted: true, held: quota })
      this.#checkAdmitted(request, day, since)
      then?.(request)
    })
  }

  #settlement(request: PromisedRequest, quota: number): Settlement {
    const whole = testSettlement(request.payer, request.id, quota / 10)
    const createdAt = Math.floor((this.#one.timers.now() + this.#ahead) / 1_000)
    // Makes all settlements differ.
    return { ...whole, log: { ...whole.log, createdAt, elapsedMs: (this.#settlements += 1) } }
  }

  #settle(request: PromisedRequest, quota: number): void {
    const settled: Settled = { amount: quota, day: this.#day, answer: undefined }
    if (quota > (request.settled[0]?.amount ?? request.held)) this.quota.overdraw(request.payer)
    request.settled.push(settled)
    this.#busy(request, this.#one.ledger.settle(this.#settlement(request, quota)), (answer) => {
      expect(['charged', 'withdrawn', 'in_doubt']).toContain(answer)
      settled.answer = answer
      if (answer === 'withdrawn') request.settled = request.settled.filter((each) => each !== settled)
    })
  }

  #sized({ size, tens }: SessionStep, { account, limitAccount }: TestPayer): number {
    const left = Math.max(0, Math.min(this.quota.leftAtMost(account), this.quota.leftAtMost(limitAccount)))
    return { small: tens * 10, all: left, above: left + 10 }[size]
  }

  #act(given: SessionStep, name: string): void {
    const { ledger } = this.#one
    const { kind, tens, size, which, flag } = given
    // One payer comes up more often, so that it runs out of quota.
    const payer = this.#payers[which % 5] ?? this.#payers[0]
    if (payer === undefined) return
    const account = flag ? payer.account : payer.limitAccount
    const isOpen = ({ isBusy, isOver, settled }: PromisedRequest): boolean => !isBusy && !isOver && settled.length === 0
    const some = { reason: '', actor: 1 }
    switch (kind) {
      case 'hold': {
        this.#hold(name, payer, this.#sized(given, payer), flag)
        return
      }
      case 'burst':
        for (let i = 0; i < 5 + tens; i++) {
          this.#hold(`${name}-${i}`, payer, 30, false, (request) => this.#settle(request, flag ? 30 : 20))
        }
        return
      case 'settle': {
        const request = this.#pick(which, isOpen)
        if (request === undefined) return
        const { held } = request
        const isAbove = size === 'above' && which % 4 === 0
        this.#settle(request, size === 'small' ? Math.min(held, tens * 10) : isAbove ? held + 10 : held)
        if (size === 'small' || !flag) return
        // The caller gives up: the request must not cost anything.
        ledger.withdraw(request.id)
        void untilIdle().then(() => {
          if (!this.#ended && request.settled.at(-1)?.answer === 'in_doubt') this.#settle(request, 0)
        })
        return
      }
      case 'again': {
        const request = this.#pick(
          which,
          ({ isBusy, isOver, settled, refunded, refunding }) =>
            !isBusy && !isOver && settled.length === 1 && refunded + refunding === 0,
        )
        if (request !== undefined) this.#settle(request, Math.min(tens * 10, request.held))
        return
      }
      case 'withdraw': {
        const request = this.#pick(which, ({ isBusy, settled }) => isBusy && settled.length > 0)
        if (request !== undefined) ledger.withdraw(request.id)
        return
      }
      case 'void': {
        const request = this.#pick(which, isOpen)
        if (request === undefined) return
        request.isOver = true
        this.#busy(request, ledger.void(request.id, testTrace(request.payer, request.id)), () => {
          request.progress = [undefined]
        })
        return
      }
      case 'renew': {
        const request = this.#pick(which, isOpen)
        if (request === undefined) return
        const quota = Math.min(tens * 10, request.held)
        request.progress.push(quota)
        const renewed = ledger.renew(this.#settlement(request, quota))
        this.#busy(request, renewed, () => (request.progress = [quota]))
        return
      }
      case 'extend': {
        const request = this.#pick(which, isOpen)
        if (request === undefined) return
        request.asked = request.held + this.#sized(given, request.payer)
        const [since, day] = [this.quota.now(), this.#day]
        const extended = ledger.extend(request.id, mqFromQuota(request.asked))
        this.#busy(request, extended, (answer) => {
          if (answer === 'held') request.held = request.asked
          else if (answer !== 'unavailable') request.asked = request.held
          if (answer === 'held') this.#checkAdmitted(request, day, since)
        })
        return
      }
      case 'refund': {
        const request = this.#pick(
          which,
          ({ isBusy, settled, refunding }) => !isBusy && refunding === 0 && settled.at(-1)?.answer === 'charged',
        )
        const left = (request?.settled.at(-1)?.amount ?? 0) - (request?.refunded ?? 0)
        if (request === undefined || left === 0) return
        request.refunding = left
        this.#busy(request, ledger.refund(testRefund(request.payer, request.id, name)), (answer) => {
          if (answer === 'unavailable') return
          expect(answer).toEqual({ refunded: mqFromQuota(left) })
          request.refunded += left
          request.refunding = 0
        })
        return
      }
      case 'move': {
        // Only quota that no request was promised can be taken away.
        const free = Math.max(0, this.quota.leftAtLeast(account))
        const quota = size === 'small' ? tens * 10 : -Math.min(free, size === 'all' ? free : tens * 10)
        const done = this.quota.move(account, quota)
        const movement = { requestId: name, kind: flag ? 'admin-adjust' : 'limit-set', account, mode: 'add' } as const
        this.#answered(ledger.move({ ...movement, ...some, amount: mqFromQuota(quota) }), (answer) => {
          if (answer === 'moved') this.moved.set(name, BigInt(quota) * 1_000n)
          done(answer)
        })
        return
      }
      case 'redeem': {
        const done = this.quota.move(payer.account, CODE_QUOTA)
        const code = 1 + (which % CODES)
        this.#answered(ledger.redeem(testRedeem(payer, code)), (answer) => {
          if (typeof answer !== 'string') this.moved.set(`redemption-${code}`, BigInt(CODE_QUOTA) * 1_000n)
          done(typeof answer === 'string' ? (answer === 'unavailable' ? answer : 'unchanged') : 'moved')
        })
        return
      }
      case 'budget': {
        // The budget covers everything so far, so nothing overruns it.
        const quota = this.quota.budgeted(account, this.#day) + tens * 10
        const done = this.quota.budget(account, quota)
        const budgets = [{ period: 'day', amount: mqFromQuota(quota) }] as const
        this.#answered(ledger.setBudgets({ account, userId: payer.userId, budgets }), done)
        return
      }
      case 'read':
        this.#read()
        return
      case 'commits':
        this.#one.trouble({ commits: given.commits })
        return
      case 'poison': {
        const request = flag ? this.#pick(which, isOpen) : undefined
        this.#one.trouble({ poisoned: request?.id })
        if (request !== undefined) this.#settle(request, request.held)
        return
      }
      case 'clock':
        this.#ahead += given.days * MS_PER_DAY + given.ms
        this.#one.trouble({ aheadMs: this.#ahead })
        return
      // The caller of this method waits.
      case 'wait':
        return
    }
  }

  #read(): void {
    const nets = new Map(this.#one.rows(NETS).map(({ id, net }) => [id, Number(net) / 1_000]))
    for (const request of this.quota.requests) {
      if (request.isBusy || request.settled.at(-1)?.answer !== 'charged') continue
      expect(allowedNets(request), `${request.id}, read`).toContain(nets.get(request.id))
    }
    this.reads += 1
  }
}
