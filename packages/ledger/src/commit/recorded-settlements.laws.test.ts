// @module-tag slow
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testRefund, testSettlement, type TestPayer, testTrace } from '@sluice/testkit/ledger-operations'
import { fileIn, type LedgerProcess, startLedgerProcess } from '@sluice/testkit/ledger-process'
import { openLedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { untilIdle } from '@sluice/testkit/manual-timers'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Settlement } from '../operation.ts'
import { mqFromQuota } from '../units.ts'

const RUNS = 60
/** Of both users, and the limit of each token. */
const [QUOTA, LIMIT] = [1_000, 700]
/** A dozen such charges fill a file of records. */
const BULK = 'x'.repeat(90_000)

let template: string
let payers: readonly TestPayer[]
const directories: string[] = []

beforeAll(async () => {
  const books = openLedgerOnSqlite()
  const engine = books.openEngine()
  const given = [
    { userId: 1, tokenId: 1, quota: QUOTA, limit: LIMIT },
    { userId: 1, tokenId: 2, quota: 0, limit: LIMIT },
    { userId: 2, tokenId: 3, quota: QUOTA, limit: LIMIT },
  ]
  const opened: TestPayer[] = []
  for (const each of given) opened.push(await openTestPayer(engine, 'setup', each))
  payers = opened
  template = makeDirectory()
  books.connection.exec(`vacuum into '${fileIn(template)}'`)
  books.close()
})
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-crash-'))
  directories.push(directory)
  return directory
}

const start = (directory: string, replica: string): Promise<LedgerProcess> =>
  startLedgerProcess({ directory, replica, payers, makeDirectory })

const AMOUNTS = fc.oneof(fc.nat(3), fc.nat(20))

describe('a crash', () => {
  const KINDS = {
    hold: 8,
    settle: 8,
    again: 3,
    withdraw: 1,
    void: 1,
    renew: 1,
    extend: 1,
    refund: 2,
    move: 1,
    wait: 6,
    applied: 1,
    commits: 3,
    poison: 2,
    disk: 2,
  } as const
  const step = fc.record({
    kind: fc.constantFrom(
      ...Object.entries(KINDS).flatMap(([kind, times]) =>
        Array.from({ length: times }, () => kind as keyof typeof KINDS),
      ),
    ),
    /** In tens of quota. */
    amount: AMOUNTS,
    which: fc.nat(30),
    flag: fc.boolean(),
    /** Whether the next step comes after all that can follow from this one. */
    isCalm: fc.boolean(),
    ms: fc.constantFrom(1, 100, 100, 300, 1_000, 1_000, 6_000),
    commits: fc.constantFrom('work', 'work', 'fail', 'lose' as const),
    disk: fc.constantFrom('write', 'write', 'wait', 'refuse' as const),
  })
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
  const life = fc.record({
    steps: fc.array(step, { minLength: 5, maxLength: 30 }),
    lost: fc.option(fc.constantFrom(0.3, 0.7, 1), { nil: undefined }),
    isBulky: fc.nat(3).map((one) => one === 0),
  })

  const plain: Step = {
    kind: 'hold',
    amount: 0,
    which: 0,
    flag: false,
    isCalm: true,
    ms: 6_000,
    commits: 'work',
    disk: 'write',
  }
  /** While no commit takes an earlier record, a settlement is taken back, and the one in its place is in the tables. */
  const REPLACED = {
    steps: [
      plain,
      { ...plain, kind: 'poison' },
      plain,
      { ...plain, kind: 'settle', amount: 1, which: 1, flag: true },
      { ...plain, kind: 'wait' },
    ] satisfies Step[],
    lost: undefined,
    isBulky: false,
  }

  /** Amounts in quota. */
  interface Request {
    readonly id: string
    readonly payer: TestPayer
    /** Something about it is not answered. */
    isBusy: boolean
    isOver: boolean
    settled: { readonly amount: number; answer: string | undefined }[]
    /** What it may be charged as if there were no settlement. */
    progress: (number | undefined)[]
    refunded: number
    /** What a refund gives back that is not known to be made. */
    refunding: number
  }

  /** What the tables may say of a request. */
  function allowed({ settled, progress, refunded, refunding }: Request): readonly (number | undefined)[] {
    const last = settled.at(-1)
    if (last?.answer === 'charged') return [last.amount - refunded, last.amount - refunded - refunding]
    const amounts = settled.map(({ amount }) => amount)
    return settled[0]?.answer === 'charged' ? amounts : [undefined, ...progress, ...amounts]
  }

  function act(one: LedgerProcess, requests: Request[], given: Step, name: string, isBulky: boolean): void {
    const { ledger } = one
    const { kind, amount: tens, which, flag } = given
    const amount = mqFromQuota(tens * 10)
    const payer = payers[which % payers.length] as TestPayer
    const pick = (fits: (request: Request) => boolean): Request | undefined => {
      const all = requests.filter(fits)
      return all[which % Math.max(1, all.length)]
    }
    const isOpen = ({ isBusy, isOver, settled }: Request): boolean => !isBusy && !isOver && settled.length === 0
    const isCharged = ({ isBusy, isOver, settled }: Request): boolean =>
      !isBusy && !isOver && settled.at(-1)?.answer === 'charged'
    const busy = <Answer>(request: Request, promise: Promise<Answer>, then: (answer: Answer) => void): void => {
      request.isBusy = true
      void promise.then((answer) => {
        request.isBusy = false
        then(answer)
      })
    }
    const settlementOf = (request: Request): Settlement => {
      const whole = testSettlement(request.payer, request.id, tens)
      return isBulky ? { ...whole, trace: { ...whole.trace, routing: BULK } } : whole
    }
    const settle = (request: Request, settlement = settlementOf(request)): void => {
      const settled: Request['settled'][number] = { amount: Number(settlement.amount) / 1_000, answer: undefined }
      request.settled.push(settled)
      busy(request, ledger.settle(settlement), (answer) => {
        settled.answer = answer
        if (answer === 'withdrawn') request.settled = request.settled.filter((each) => each !== settled)
      })
    }
    switch (kind) {
      case 'hold': {
        const request: Request = {
          id: name,
          payer,
          isBusy: true,
          isOver: false,
          settled: [],
          progress: [undefined],
          refunded: 0,
          refunding: 0,
        }
        requests.push(request)
        busy(request, ledger.hold({ requestId: name, ...payer, amount, durable: flag }), (answer) => {
          request.isOver = answer !== 'held'
        })
        return
      }
      case 'settle': {
        const request = pick(isOpen)
        if (request === undefined) return
        settle(request)
        if (!flag || which % 2 === 0) return
        // As a caller does that gives up: it is to cost nothing then.
        ledger.withdraw(request.id)
        void untilIdle().then(() => {
          if (request.settled.at(-1)?.answer === 'in_doubt')
            settle(request, testSettlement(request.payer, request.id, 0))
        })
        return
      }
      case 'again': {
        const request = pick(
          ({ isBusy, isOver, settled, refunded, refunding }) =>
            !isBusy && !isOver && settled.length === 1 && refunded + refunding === 0,
        )
        if (request !== undefined) settle(request)
        return
      }
      case 'withdraw': {
        const request = pick(({ isBusy, settled }) => isBusy && settled.length > 0)
        if (request !== undefined) ledger.withdraw(request.id)
        return
      }
      case 'void': {
        const request = pick(isOpen)
        if (request === undefined) return
        request.isOver = true
        busy(request, ledger.void(request.id, testTrace(request.payer, request.id)), () => {
          request.progress = [undefined]
        })
        return
      }
      case 'renew': {
        const request = pick(isOpen)
        if (request === undefined) return
        request.progress.push(tens * 10)
        busy(request, ledger.renew(settlementOf(request)), () => (request.progress = [tens * 10]))
        return
      }
      case 'extend': {
        const request = pick(isOpen)
        if (request !== undefined) busy(request, ledger.extend(request.id, amount), () => {})
        return
      }
      case 'refund': {
        const request = pick((each) => isCharged(each) && each.refunding === 0)
        if (request === undefined || tens === 0) return
        const left = (request.settled.at(-1)?.amount ?? 0) - request.refunded
        const quota = flag ? tens * 10 : left
        if (quota <= left) request.refunding = quota
        busy(
          request,
          ledger.refund(testRefund(request.payer, request.id, name, flag ? quota : undefined)),
          (answer) => {
            if (answer === 'unavailable') return
            expect(answer).toEqual(
              quota <= left && left > 0 ? { refunded: mqFromQuota(quota) } : { atMost: mqFromQuota(left) },
            )
            request.refunded += request.refunding
            request.refunding = 0
          },
        )
        return
      }
      case 'move':
        void ledger.move({
          requestId: name,
          kind: 'admin-adjust',
          account: payer.account,
          mode: 'add',
          amount: mqFromQuota(flag ? tens : -tens),
          actor: 0,
          reason: '',
        })
        return
      case 'applied':
        void ledger.applied()
        return
      case 'commits':
        one.trouble({ commits: given.commits })
        return
      case 'poison': {
        const request = flag || which % 2 === 0 ? pick(isOpen) : undefined
        one.trouble({ poisoned: request?.id })
        if (request !== undefined) settle(request)
        return
      }
      case 'disk':
        one.trouble({ disk: given.disk })
        return
      // Its caller does that.
      case 'wait':
        return
    }
  }

  const NETS = `select coalesce(refers_to, request_id) as id, sum(kind = 'consume') as charges,
      sum(case when kind in ('consume', 'adjust') then amount else -amount end) as net
    from transfer where kind in ('consume', 'adjust', 'refund', 'admin-refund') group by 1 order by 1`
  const STATE = [NETS, 'select id, posted, held, spent, requests from account order by id', 'select * from record_log']

  async function check(two: LedgerProcess, requests: readonly Request[]): Promise<void> {
    const rows = await two.read(NETS)
    const nets = new Map(rows.map(({ id, net }) => [id, Number(net) / 1_000]))
    for (const request of requests) expect(allowed(request), request.id).toContain(nets.get(request.id))
    expect(rows.filter(({ charges }) => charges !== 1)).toEqual([])
    expect(rows.filter(({ id }) => !requests.some((each) => each.id === id))).toEqual([])
    expect(await two.read('select request_id from hold')).toEqual([])
    expect(await brokenInvariants(two.read, 0)).toEqual([])
    const states = () => Promise.all(STATE.map((text) => two.read(text)))
    const before = await states()
    await two.replayAgain()
    expect(await states()).toEqual(before)
    // A later crash must find the same.
    for (const request of requests) {
      const net = nets.get(request.id)
      Object.assign(request, { isBusy: false, isOver: true, progress: [], refunded: 0, refunding: 0 })
      request.settled = net === undefined ? [] : [{ amount: net, answer: 'charged' }]
    }
  }

  it('takes no charge that was answered, and makes none twice', { tags: 'S23', timeout: 120_000 }, async () => {
    let replayed = 0
    const property = fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 2 }), async (lives) => {
      let directory = template
      let requests: Request[] = []
      let one = await start(copyOf(directory), 'r0')
      for (const [number, { steps, lost, isBulky }] of lives.entries()) {
        for (const [i, given] of steps.entries()) {
          if (given.kind === 'wait') {
            await one.written()
            await one.timers.advance(given.ms)
          } else act(one, requests, given, `r${number}-${i}`, isBulky)
          if (given.isCalm) await one.written()
        }
        const before = await one.read(NETS)
        directory = one.crash(lost)
        // What is answered from now on does not count.
        requests = structuredClone(requests)
        const uncharged = one.uncharged
        const stopped = one.end()
        one = await start(directory, `r${number + 1}`)
        await stopped
        expect([...uncharged, ...one.uncharged]).toEqual([])
        const after = await one.read(NETS)
        if (after.length > before.length) replayed += 1
        await check(one, requests)
      }
      await one.end()
      for (const each of directories.splice(1)) rmSync(each, { recursive: true, force: true })
    })
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true, examples: [[[REPLACED]]] })
    expect(replayed).toBeGreaterThan(0)
  })

  function copyOf(directory: string): string {
    const to = makeDirectory()
    copyFileSync(fileIn(directory), fileIn(to))
    return to
  }
})
