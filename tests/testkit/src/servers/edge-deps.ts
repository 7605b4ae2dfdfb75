import { connect } from 'node:net'
import { createCallers } from '../../../../apps/gateway/src/edge/client-address.ts'
import type { EdgeDeps } from '../../../../apps/gateway/src/edge/edge-deps.ts'
import { newRequestId } from '../../../../apps/gateway/src/edge/request-id.ts'
import { refusalBody } from '../../../../apps/gateway/src/edge/write-refusal.ts'

/** An edge with small limits, whose parts answer with their own names. */
export const EDGE_DEPS: EdgeDeps = {
  limits: {
    bodyLimit: 10_000,
    bodyMemory: 15_000,
    bodyTimeoutMs: 200,
    bodyRate: 0,
    maxRequests: 3,
    clientStallMs: 60_000,
    answerLimit: 10_000,
    answerMemory: 40_000,
  },
  basePath: '',
  callers: createCallers([]),
  now: Date.now,
  newId: newRequestId,
  relay: ({ reply }) => Promise.resolve(void reply.end('relayed')),
  management: (_, reply) => void reply.end('management'),
  metrics: (_, reply) => void reply.end('metrics'),
  refusalBody: () => refusalBody,
  onRefused: () => {},
  console: (_, reply) => void reply.end('console'),
  databaseProblem: () => Promise.resolve(''),
  overload: () => undefined,
  log: { error: () => {} },
}

/** Sends raw bytes and returns everything received until the server closes. */
export function rawReply(port: number, ...writes: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const text of writes) socket.write(text)
    })
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}
