import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Receipt } from '@sluice/contract/receipt'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '~/lib/http/client.ts'
import { createReceiptOf, entitledModelsQuery, replyCost } from './calls.ts'

it('the models of the account are requested once and listed once each', { tags: 'C7.9' }, async () => {
  const asked: string[] = []
  const call = createClient({
    fetch: async (url) => {
      asked.push(url)
      return Response.json({ success: true, message: '', data: ['b', 'a', 'b'] })
    },
    now: () => 0,
    locale: () => 'en',
    timeout: () => new AbortController().signal,
    onSessionLost: () => {},
    onBrokenReply: () => {},
  })
  const client = new QueryClient()
  const query = entitledModelsQuery(call)
  expect(await client.fetchQuery({ ...query, queryKey: [...query.queryKey] })).toEqual(['b', 'a'])
  expect(await client.fetchQuery({ ...query, queryKey: [...query.queryKey] })).toEqual(['b', 'a'])
  expect(asked.map((url) => url.replace(/\?.*/, ''))).toEqual(['/api/user/available_models'])
})

const running: Array<() => void> = []
afterEach(() => {
  for (const stop of running.splice(0)) stop()
})

const ID = '0123456789abcdef0123456789abcdef'
const REFUSED = { success: false, message: 'no receipt' }
const RECEIPT = {
  success: true,
  message: '',
  data: {
    log_id: 1,
    request_id: ID,
    created_at: 1,
    username: 'ann',
    token_name: 't',
    model_name: 'm',
    origin_model_name: 'm',
    movements: [],
    net: '40.5',
    fault: '',
    held: '',
    ended: 'complete',
    usage: { estimated: false, reasoning_tokens: 0, upstream: '' },
    missing: [],
  },
}

/** A gateway that gives these answers in turn and repeats the last one; null stands for no answer. */
async function lookingAt(answers: readonly (object | null)[]) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push((request.url ?? '').replace(/\?.*/, ''))
    const answer = answers[Math.min(paths.length, answers.length) - 1]
    if (answer === null) response.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const call = createClient({
    fetch: (url, init) => fetch(`http://127.0.0.1:${port}${url}`, init),
    now: () => 0,
    locale: () => 'en',
    timeout: () => new AbortController().signal,
    onSessionLost: () => {},
    onBrokenReply: () => {},
  })
  const waits: number[] = []
  const receiptOf = createReceiptOf(call, async (milliseconds) => void waits.push(milliseconds))
  return { receiptOf, paths, waits }
}
const nobody = () => new AbortController().signal

describe('the receipt of a reply', () => {
  it('is requested again while it is being written', async () => {
    const { receiptOf, paths, waits } = await lookingAt([REFUSED, REFUSED, RECEIPT])
    expect(await receiptOf(ID, true, nobody())).toEqual({ cost: '40.5' })
    expect(paths).toEqual(Array.from({ length: 3 }, () => `/api/receipt/${ID}`))
    expect(waits).toEqual([150, 600, 2_000])
  })

  it('is given up after four attempts', async () => {
    const { receiptOf, paths } = await lookingAt([REFUSED])
    expect(await receiptOf(ID, true, nobody())).toBeUndefined()
    expect(paths).toHaveLength(4)
  })

  it('of an older reply is requested only once', async () => {
    const { receiptOf, paths } = await lookingAt([REFUSED, RECEIPT])
    expect(await receiptOf(ID, false, nobody())).toBeUndefined()
    expect(await receiptOf(ID, false, nobody())).toEqual({ cost: '40.5' })
    expect(paths).toHaveLength(2)
  })

  it('is not retried without a gateway, not requested after an abort, nor for an id in another format', async () => {
    const { receiptOf, paths } = await lookingAt([null])
    expect(await receiptOf(ID, true, nobody())).toBeUndefined()
    expect(await receiptOf(ID, true, AbortSignal.abort())).toBeUndefined()
    expect(await receiptOf('../option', true, nobody())).toBeUndefined()
    expect(paths).toHaveLength(1)
  })
})

type Line = NonNullable<Receipt['movements'][number]['calculation']>['lines'][number]
const line = (name: Line['class'], count: number): Line => ({ class: name, count, rate: '1', amount: String(count) })

function movement(kind: string, lines: readonly Line[] | undefined): Receipt['movements'][number] {
  const source = { kind: 'book', name: '7', channel: 0, tier: '', window: '' } as const
  const sums = { list: '1', group_ratio: '1', exact: '1', total: '1', price_id: 1, source }
  const calculation = lines === undefined ? {} : { calculation: { ...sums, lines: [...lines] } }
  return { kind, at: 1, amount: '1', reason: '', actor_name: '', ...calculation }
}

const shown = (movements: Receipt['movements'], net = '40.5') => replyCost({ movements, net } as Receipt)

describe('the cost of a reply', () => {
  it('is what was paid in the end, with the tokens of every class of input and of output', () => {
    const lines = [
      line('input', 5),
      line('cached_input', 3),
      line('output', 10),
      line('reasoning_output', 6),
      line('call', 1),
    ]
    expect(shown([movement('consume', lines)])).toEqual({ promptTokens: 8, completionTokens: 16, cost: '40.5' })
  })

  it('uses the counts of the last correction, even after a refund', () => {
    const moves = [movement('consume', [line('input', 5)]), movement('adjust', [line('input', 6)])]
    expect(shown([...moves, movement('admin-refund', undefined)], '0')).toEqual({
      promptTokens: 6,
      completionTokens: 0,
      cost: '0',
    })
  })

  it('has no tokens if the receipt does not say how the charge was computed', () => {
    expect(shown([movement('consume', undefined)])).toEqual({ cost: '40.5' })
  })
})
