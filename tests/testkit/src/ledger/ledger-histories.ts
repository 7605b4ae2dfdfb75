import * as fc from 'fast-check'
import { MODEL_CODES, MODEL_USER_OF, type ModelOperation, type ModelStep } from './ledger-model-step.ts'

/** Six requests of three payers with small amounts, so that quota runs out, ids repeat, budgets reset, and phases interleave. */
export function ledgerHistories(maxLength = 60, minLength = 0): fc.Arbitrary<ModelStep[]> {
  return fc.array(arbitraryStep(), { size: 'max', minLength, maxLength })
}

function arbitraryStep(): fc.Arbitrary<ModelStep> {
  const replica = fc.constantFrom('r1', 'r2')
  const batch = fc.record({
    step: fc.constant('batch' as const),
    replica,
    replay: fc.boolean(),
    operations: fc.array(arbitraryOperation(), { minLength: 1, maxLength: 6 }),
  })
  const recover = fc.record({ step: fc.constant('recover' as const), dead: replica })
  const imported = fc.record({
    step: fc.constant('import' as const),
    replica,
    user: fc.constantFrom(...MODEL_USER_OF),
    quota: fc.integer({ min: -40, max: 120 }),
    isNoted: fc.boolean(),
  })
  return fc.oneof(
    { weight: 14, arbitrary: batch },
    { weight: 2, arbitrary: recover },
    { weight: 1, arbitrary: imported },
  )
}

function arbitraryOperation(): fc.Arbitrary<ModelOperation> {
  const request = fc.nat({ max: 5 })
  const payer = fc.nat({ max: MODEL_USER_OF.length - 1 })
  const quota = fc.nat({ max: 60 })
  const tokens = fc.nat({ max: 8 })
  const op = <T extends string>(name: T): fc.Arbitrary<T> => fc.constant(name)
  const what = fc.constantFrom('gift', 'adjust-add', 'adjust-set', 'limit-add', 'limit-set')
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ op: op('hold'), request, quota }) },
    { weight: 2, arbitrary: fc.record({ op: op('extend'), request, quota }) },
    { weight: 2, arbitrary: fc.record({ op: op('renew'), request, tokens }) },
    { weight: 4, arbitrary: fc.record({ op: op('settle'), request, tokens }) },
    { weight: 2, arbitrary: fc.record({ op: op('void'), request }) },
    {
      weight: 4,
      arbitrary: fc.record({
        op: op('move'),
        id: fc.nat({ max: 9 }),
        payer,
        what,
        quota: fc.integer({ min: -40, max: 120 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        op: op('refund'),
        request,
        id: fc.nat({ max: 9 }),
        quota: fc.option(fc.integer({ min: -1, max: 60 }), { nil: undefined }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ op: op('redeem'), code: fc.nat({ max: MODEL_CODES.length - 1 }), payer }) },
    { weight: 1, arbitrary: fc.record({ op: op('unlimited'), payer, unlimited: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ op: op('budgets'), payer, of: fc.constantFrom('user', 'token'), budgets: budgets() }),
    },
  )
}

function budgets() {
  const budget = fc.record({ period: fc.constantFrom('day', 'week', 'month'), quota: fc.nat({ max: 150 }) })
  return fc.uniqueArray(budget, { maxLength: 3, selector: ({ period }) => period })
}
