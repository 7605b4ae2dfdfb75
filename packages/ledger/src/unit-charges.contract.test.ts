import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  TEST_UNIT_PRICE,
  testHold,
  testSettlement,
  testUnitSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { describe, expect, it } from 'vitest'
import type { Settlement } from './operation.ts'
import { charge, type TokenCounts } from './pricing.ts'
import { UNIT_CLASSES, type UnitCounts, type UnitRates } from './unit-class.ts'
import { mqFromQuota } from './units.ts'

const NOTHING: TokenCounts = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

describe.each(databaseEngines)('charges for more than text on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = () => openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000_000 })
  const settle = (settlement: Settlement) => suite.apply({ op: 'settle', settlement })

  it('store every class of unit, its rate and what it cost', async () => {
    const payer = await openPayer()
    const units: UnitCounts = Object.fromEntries(UNIT_CLASSES.map((unit, i) => [unit, i + 1]))
    const rates: UnitRates = Object.fromEntries(UNIT_CLASSES.map((unit, i) => [unit, BigInt(i + 1) * 1_000_000_000n]))
    const price = { ...TEST_UNIT_PRICE, rates: { ...TEST_UNIT_PRICE.rates, units: rates } }
    const tokens = { ...NOTHING, input: 10, output: 20, units }
    const settlement = testSettlement(payer, 'a', 0, { tokens, price, amount: charge(tokens, price) })
    expect(await settle(settlement)).toEqual(['done'])
    const squares = UNIT_CLASSES.reduce((sum, _, i) => sum + (i + 1) ** 2, 0)
    expect(
      await suite.read(
        'select amount, units, other_prompt_tokens, other_output_tokens from transfer where price_id > 0',
      ),
    ).toEqual([
      {
        amount: BigInt(25 + 200 + squares) * 1_000n,
        units: JSON.stringify(Object.fromEntries(UNIT_CLASSES.map((unit, i) => [unit, String(i + 1)]))),
        other_prompt_tokens: 1 + 2 + 4 + 5 + 7,
        other_output_tokens: 3 + 6 + 8,
      },
    ])
    expect(await suite.read('select prompt_tokens, completion_tokens from usage_daily')).toEqual([
      { prompt_tokens: 29, completion_tokens: 37 },
    ])
    expect(await suite.read('select prompt_tokens, completion_tokens from log where type = 2')).toEqual([
      { prompt_tokens: 29, completion_tokens: 37 },
    ])
  })

  it('keep prices apart that differ in the rate of a unit only', async () => {
    const payer = await openPayer()
    const dearer = { ...TEST_UNIT_PRICE.rates.units, search: 20_000_000_000n }
    const price = { ...TEST_UNIT_PRICE, rates: { ...TEST_UNIT_PRICE.rates, units: dearer } }
    const tokens = { ...NOTHING, units: { search: 1 } }
    await settle(testUnitSettlement(payer, 'a', 1))
    await settle(testSettlement(payer, 'b', 0, { tokens, price, amount: charge(tokens, price) }))
    await settle(testUnitSettlement(payer, 'c', 1))
    expect(await suite.read('select amount, price_id from transfer where price_id > 0 order by request_id')).toEqual([
      { amount: 10_000n, price_id: 1 },
      { amount: 20_000n, price_id: 2 },
      { amount: 10_000n, price_id: 1 },
    ])
  })

  it('are refused when the price has no rate for what was counted: nothing is free by omission', async () => {
    const payer = await openPayer()
    const tokens = { ...NOTHING, units: { image: 1 } }
    const unpriced = testSettlement(payer, 'a', 0, { tokens: NOTHING, price: TEST_UNIT_PRICE })
    expect(await settle({ ...unpriced, tokens })).toEqual(['invalid'])
    expect(await suite.read('select request_id from transfer where price_id > 0')).toEqual([])
  })

  it.each([-1, 0.5, Number.NaN])('are refused for %s of a unit', async (count) => {
    const payer = await openPayer()
    const settlement = testUnitSettlement(payer, 'a', 1)
    expect(await settle({ ...settlement, tokens: { ...NOTHING, units: { search: count } } })).toEqual(['invalid'])
  })

  it('stay within the range of their columns', { tags: 'S24' }, async () => {
    const payer = await openPayer()
    const settlement = testUnitSettlement(payer, 'a', 1)
    const many = { ...settlement, tokens: { ...NOTHING, units: { search: 2 ** 41 } } }
    const dear = {
      ...settlement.price,
      rates: { ...settlement.price.rates, units: { search: 2n ** 63n, audio_input: 1n } },
    }
    expect([...(await settle(many)), ...(await settle({ ...settlement, price: dear }))]).toEqual([
      'out_of_range',
      'out_of_range',
    ])
  })

  it('are charged by recovery, and corrected by a late settlement, with their units', async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'a', 100), {
      op: 'renew',
      requestId: 'a',
      progress: testUnitSettlement(payer, 'a', 3),
      at: 1,
    })
    await suite.engine.recover({ deadAfterMs: 60_000, dead: ['r1'] })
    expect(await settle(testUnitSettlement(payer, 'a', 5))).toEqual(['done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000_000 - 50))
    expect(await suite.read(`select kind, amount, units from transfer where price_id > 0 order by kind`)).toEqual([
      { kind: 'adjust', amount: 20_000n, units: '{"audio_input":"4","search":"1"}' },
      { kind: 'consume', amount: 30_000n, units: '{"audio_input":"2","search":"1"}' },
    ])
    expect(await suite.read('select prompt_tokens from usage_daily')).toEqual([{ prompt_tokens: 4 }])
  })
})
