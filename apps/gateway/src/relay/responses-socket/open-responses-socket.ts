import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'
import type { Upgrade } from '../../edge/upgrade.ts'
import type { Authenticate } from '../caller/authenticate.ts'
import { SessionSlots } from '../caller/limits/session-slots.ts'
import { type AnswerFramed, ResponsesSocket, type ResponsesSocketDeps } from './responses-socket.ts'

export interface OpenResponsesSocketDeps extends ResponsesSocketDeps {
  readonly authenticate: Authenticate
}

const CONNECTIONS = { all: 1_000, perUser: 50 } as const

/** `/v1/responses` as a websocket. The key is checked before the handshake and again with every request. */
export function createResponsesSockets(
  deps: OpenResponsesSocketDeps,
  answer: AnswerFramed,
): (accepted: Accepted) => Promise<Refusal | undefined> {
  const slots = new SessionSlots(CONNECTIONS)
  return async (accepted) => {
    const { upgrade, path } = accepted
    if (upgrade === undefined) return { code: 'upgrade_required', params: { path } }
    if (!slots.take()) return noSlot(`${CONNECTIONS.all} WebSockets`)
    try {
      const identity = await deps.authenticate(accepted)
      if (isRefusal(identity)) return identity
      if (!slots.takeFor(identity.userId)) return noSlot(`${CONNECTIONS.perUser} WebSockets per user`)
      try {
        await open(deps, accepted, upgrade, identity, answer)
        return undefined
      } finally {
        slots.giveBackFor(identity.userId)
      }
    } finally {
      slots.giveBack()
    }
  }
}

async function open(
  deps: OpenResponsesSocketDeps,
  accepted: Accepted,
  upgrade: Upgrade,
  identity: { readonly userId: number },
  answer: AnswerFramed,
): Promise<void> {
  const socket = new ResponsesSocket(deps, accepted, upgrade, identity, answer)
  const client = upgrade.accept({
    maxFrame: upgrade.requests.bodyLimit,
    protocol: undefined,
    headers: [...accepted.replyHeaders, ...echoed(accepted.headers)],
    gate: socket,
  })
  if (client !== undefined) await socket.run(client)
}

function echoed({ 'openai-beta': beta }: Accepted['headers']): readonly string[] {
  const version = [beta].flat().flatMap((value) => value?.split(',') ?? [])
  const named = version.map((each) => each.trim()).find((each) => VERSION.test(each))
  return named === undefined ? [] : ['OpenAI-Beta', named]
}

const VERSION = /^responses_websockets=[\w.-]{1,64}$/

const noSlot = (limit: string): Refusal => ({ code: 'overloaded', params: { limit }, retryAfter: 1 })
