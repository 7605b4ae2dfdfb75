import type { Operation, Settlement } from '@sluice/ledger/operation'
import { mqFromQuota } from '@sluice/ledger/units'
import { type ModelOperation, payerOfRequest } from './ledger-model-step.ts'
import {
  testCacheSettlement,
  testHold,
  testMove,
  type TestPayer,
  testRedeem,
  testRefund,
  testSettlement,
  testTrace,
  testUnitSettlement,
} from './ledger-operations.ts'

/** Translates a model operation at `at` (unix milliseconds). */
export function toOperation(payers: readonly TestPayer[], operation: ModelOperation, at: number): Operation {
  const payer = payers['payer' in operation ? operation.payer : payerOfRequest(operation.request)]
  if (payer === undefined) throw new Error('no such payer')
  switch (operation.op) {
    case 'unlimited':
      return { op: 'account', id: { kind: 'token', owner: payer.tokenId }, unlimited: operation.unlimited }
    case 'redeem':
      return { ...testRedeem(payer, operation.code + 1), at }
    case 'move':
      return toMove(payer, operation, at)
    case 'budgets': {
      const budgets = operation.budgets.map(({ period, quota }) => ({ period, amount: mqFromQuota(quota) }))
      const account = operation.of === 'user' ? payer.account : payer.limitAccount
      return { op: 'budgets', account, userId: payer.userId, budgets, at }
    }
    default:
      return toRequestOperation(payer, operation, at)
  }
}

type RequestOperation = Extract<ModelOperation, { readonly request: number }>

function toRequestOperation(payer: TestPayer, operation: RequestOperation, at: number): Operation {
  const requestId = `request-${operation.request}`
  switch (operation.op) {
    case 'hold':
      return { ...testHold(payer, requestId, operation.quota, at), durable: operation.request % 2 === 0 }
    case 'extend':
      return { op: 'extend', requestId, amount: mqFromQuota(operation.quota), at }
    case 'renew':
      return { op: 'renew', requestId, progress: settlementOf(payer, operation, at), at }
    case 'settle':
      return { op: 'settle', settlement: settlementOf(payer, operation, at) }
    case 'refund':
      return { ...testRefund(payer, requestId, `refund-${operation.id}`, operation.quota), at }
    case 'void':
      return { op: 'void', requestId, trace: testTrace(payer, requestId) }
  }
}

const KINDS = [testSettlement, testUnitSettlement, testCacheSettlement] as const

/** Alternates between text, other classes, and a cached prompt, at 10 quota per token. */
function settlementOf(
  payer: TestPayer,
  { request, tokens }: { request: number; tokens: number },
  at: number,
): Settlement {
  const make = KINDS[request % KINDS.length] ?? testSettlement
  const settlement = make(payer, `request-${request}`, tokens)
  return { ...settlement, log: { ...settlement.log, createdAt: Math.floor(at / 1_000) } }
}

function toMove(payer: TestPayer, { id, what, quota }: ModelOperation & { op: 'move' }, at: number): Operation {
  return testMove({
    requestId: `move-${id}`,
    kind: what === 'gift' ? 'gift' : what.startsWith('limit') ? 'limit-set' : 'admin-adjust',
    mode: what.endsWith('-set') ? 'set' : 'add',
    account: what.startsWith('limit') ? payer.limitAccount : payer.account,
    amount: mqFromQuota(quota),
    at,
  })
}
