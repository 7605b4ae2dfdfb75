import { isRefusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { createFrame } from '@sluice/dialects/openai-responses/frames/event-frames'
import type { SocketRequest } from '../../../outbound/guarded-socket.ts'
import { readResponses, RESPONSES_PATH } from '../../calls/responses.ts'
import type { Candidate, Reserved } from '../../stages/planned.ts'
import {
  type AskDeps,
  type CallResult,
  holdConverted,
  present,
  type Running,
  type StoppableCall,
} from '../ask-upstream.ts'
import { classifyStart } from '../classify-start.ts'
import { isRewritten } from '../prepare/pass-on.ts'
import { prepare } from '../prepare/prepare.ts'
import { openSource } from '../prepare/upstream-body.ts'
import { type CallRequest, UpstreamCall } from '../upstream-call.ts'
import type { UpstreamSocket } from './upstream-socket.ts'
import type { UpstreamSockets } from './upstream-sockets.ts'

export interface AskBySocketDeps extends AskDeps {
  readonly upstreamSockets: Pick<UpstreamSockets, 'take' | 'refused'>
}

/** Undefined if the request must be sent by POST: no part of an answer has arrived, and the lane is not at fault. */
export async function askBySocket(
  deps: AskBySocketDeps,
  reserved: Reserved,
  candidate: Candidate,
  request: CallRequest,
  running: Running<StoppableCall>,
): Promise<CallResult | undefined> {
  const { connection } = reserved.accepted
  if (connection === undefined) return undefined
  const address = await addressFor(deps, reserved, candidate, request, running.signal)
  if (address === undefined || running.isStopped) return undefined
  const use = { stream: connection.stream, candidate }
  const socket = deps.upstreamSockets.take(connection.id, use, address)
  if (socket === undefined) return undefined
  const since = sinceLast(deps, reserved, candidate, socket)
  const asked = socket.ask(Buffer.concat(createFrame(since ?? request.body)))
  const call = new UpstreamCall(request, { bytes: deps.answerLimit, hold: running.hold }, deps.now, 'websocket')
  running.call = call
  const start = await call.start(asked)
  const hasForgotten = since !== undefined && asked.lostFor === FORGOTTEN
  if (socket.isUnfit || hasForgotten) deps.upstreamSockets.refused(use)
  if (asked.isLost) return undefined
  const outcome = classifyStart(deps.times, request, call, start)
  return 'follow' in outcome ? undefined : { call, outcome: holdConverted(running, outcome) }
}

const FORGOTTEN = 'previous_response_not_found'
const NO_BODY = Buffer.alloc(0)

/** Undefined if the provider does not offer a websocket for this request. */
async function addressFor(
  deps: AskBySocketDeps,
  { parsed, body, kind }: Reserved,
  { route, upstreamModel }: Candidate,
  request: CallRequest,
  signal: AbortSignal,
): Promise<SocketRequest | undefined> {
  if (!request.stream || parsed.path !== RESPONSES_PATH || !route.takesSocket(request.origin)) return undefined
  const adapter = route.adapter(kind.endpoint, parsed, upstreamModel)
  if (adapter?.form.kind !== 'pass' || adapter.adapt !== undefined || adapter.framing !== 'sse') return undefined
  // A request that is rewritten each time, or answered with a summary, is not what the provider would remember.
  if (isRewritten({ parsed, body }) || parsed.compaction?.sealing !== undefined) return undefined
  const { origin, path } = request
  const headers = [...route.headers, ...(adapter.headers ?? [])]
  if (request.credentials === undefined) return { origin, path, headers }
  const upgrade: CallRequest = { ...request, method: 'GET', headers, body: NO_BODY }
  const shown = await present(deps, upgrade, request.credentials, signal)
  return shown.problem === undefined ? { origin, path: shown.request.path, headers: shown.request.headers } : undefined
}

/** The body with only the new items, if the provider's websocket continues from the preceding response. */
function sinceLast(
  { now }: Pick<AskDeps, 'now'>,
  reserved: Reserved,
  candidate: Candidate,
  { lastResponse }: UpstreamSocket,
): Buffer | undefined {
  const since = reserved.accepted.connection?.since
  // The new items do not belong to a body that was changed after its arrival.
  if (since === undefined || since.previous !== lastResponse || since.whole !== reserved.body) return undefined
  const body = since.body()
  const parsed = readResponses(body)
  if (isBodyRefusal(parsed)) return undefined
  const request = prepare(openSource({ ...reserved, body, parsed }, now), candidate)
  return isRefusal(request) ? undefined : request.body
}
