import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { FinishedRequest } from '@sluice/observe/finished-request'
import type { Accepted, AcceptedOnSocket } from '../edge/exchange.ts'
import type { BackgroundStages } from './background/answer-in-background.ts'
import type { IdentifyCall } from './caller/identify.ts'
import type { Admit, Admitted } from './caller/limits/admit.ts'
import type { LimitAddress } from './caller/limits/limit.ts'
import { RESPONSES_CALL } from './calls/calls.ts'
import { lacksCounts } from './charge/own-counts.ts'
import { estimateTokens } from './charge/tokenizer/count.ts'
import { refuse } from './client/refuse.ts'
import { type CallEndpoint, type Endpoint, endpointOf } from './endpoints/endpoints.ts'
import type { InFlight } from './in-flight/in-flight.ts'
import { finishedElsewhere } from './record/finished.ts'
import type { RecordRefusal } from './record/record.ts'
import type { AnswerFramed } from './responses-socket/responses-socket.ts'
import type { Plan } from './routing/plan.ts'
import type { Answered, Unanswered } from './stages/answered.ts'
import type { Authorised } from './stages/authorised.ts'
import type { Delivered, Settled } from './stages/delivered.ts'
import type { Planned, Reserved } from './stages/planned.ts'
import { type FindStored, refersToStored } from './stored/find-stored.ts'
import { storesAnswer } from './stored/store-answer.ts'

/** The stages of a call, in order. Each is created with its dependencies; see `wire-stages.ts`. */
export interface CallStages {
  readonly identify: IdentifyCall
  readonly refuseLoop: (authorised: Authorised) => Promise<Refusal | undefined>
  readonly begin: InFlight['begin']
  readonly admit: Admit
  readonly findStored: FindStored
  readonly plan: Plan
  readonly reserve: (planned: Planned) => Promise<Reserved | Refusal>
  readonly dispatch: (reserved: Reserved) => Promise<Answered | Unanswered>
  readonly deliver: (answered: Answered) => Promise<Delivered> | Delivered
  readonly countMissing: (delivered: Delivered) => Promise<Delivered>
  readonly storeAnswer: (delivered: Delivered) => Promise<void>
  readonly settle: (delivered: Delivered) => Promise<Settled>
  readonly record: (delivered: Delivered, settled: Settled) => void
  /** Replaces the stages after `dispatch` if no provider answered. */
  readonly release: (unanswered: Unanswered) => Promise<Settled>
  readonly recordFailure: (unanswered: Unanswered, settled: Settled) => void
  /** Needed only after a bug: a hold left open would block the caller's money until this process ends. */
  readonly giveBack: (reserved: Reserved) => Promise<void>
}

type Served = Promise<Refusal | undefined>

/** Endpoints outside the stages, or with only some of them. */
export interface BesideStages {
  readonly answerInBackground: (authorised: Authorised, stages: BackgroundStages<Held>) => Served
  readonly countTokens: (accepted: Accepted, endpoint: Extract<Endpoint, { kind: 'count' }>) => Served
  readonly relayRaw: (accepted: AcceptedOnSocket, endpoint: Extract<Endpoint, { kind: 'raw' }>) => Served
  readonly serveStored: (accepted: Accepted, endpoint: Extract<Endpoint, { kind: 'stored' }>) => Served
  readonly showModels: (accepted: Accepted, endpoint: Extract<Endpoint, { kind: 'models' | 'model' }>) => Served
  readonly warmUp: (accepted: Accepted, endpoint: CallEndpoint) => Served
  readonly realtime: (accepted: Accepted) => Served
  /** Websockets for many requests, each of which `answer` takes through the stages. */
  readonly responsesSockets: (answer: AnswerFramed) => (accepted: Accepted) => Served
}

export interface RelayDeps {
  readonly stages: CallStages
  readonly beside: BesideStages
  readonly limitAddress: LimitAddress
  readonly recordRefusal: RecordRefusal
  readonly onFinished: ((finished: FinishedRequest) => void) | undefined
  readonly now: () => number
}

/** The paid path. The returned promise rejects only after a bug; even then nothing stays held. */
export function createRelay(deps: RelayDeps): (accepted: AcceptedOnSocket) => Promise<void> {
  const responses = deps.beside.responsesSockets((accepted, isWarmUp) => serveFramed(deps, accepted, isWarmUp))
  return async (accepted) => {
    const endpoint = isResponsesSocket(accepted)
      ? RESPONSES_SOCKET
      : endpointOf(accepted.method, accepted.path, accepted.query)
    const refusal =
      (await deps.limitAddress(accepted)) ??
      (isRefusal(endpoint) ? endpoint : await serveEndpoint(deps, responses, accepted, endpoint))
    if (refusal !== undefined) refuseRecorded(deps, accepted, refusal)
    else if (!isRefusal(endpoint) && endpoint.kind === 'call') return
    deps.onFinished?.(finishedElsewhere(accepted, endpoint, refusal, deps.now()))
  }
}

const RESPONSES_SOCKET: Endpoint = { kind: 'responses_socket' }
const RESPONSES_ENDPOINT: CallEndpoint = { kind: 'call', call: RESPONSES_CALL, facts: {} }

/** True even if a proxy has removed the upgrade: Codex switches to POST at once if told so, and otherwise retries. */
function isResponsesSocket({ path, method }: Accepted): boolean {
  return method === 'GET' && path === RESPONSES_CALL.path
}

async function serveFramed(deps: RelayDeps, accepted: Accepted, isWarmUp: boolean): Promise<void> {
  const serveIt = isWarmUp ? deps.beside.warmUp : (each: Accepted, at: CallEndpoint) => relayCall(deps, each, at)
  const refusal = (await deps.limitAddress(accepted)) ?? (await serveIt(accepted, RESPONSES_ENDPOINT))
  if (refusal !== undefined) refuseRecorded(deps, accepted, refusal)
  else if (!isWarmUp) return
  deps.onFinished?.(finishedElsewhere(accepted, RESPONSES_ENDPOINT, refusal, deps.now()))
}

function refuseRecorded(deps: RelayDeps, accepted: Accepted, refusal: Refusal): void {
  deps.recordRefusal(accepted, refusal)
  refuse(accepted, { refusal })
}

// Passes promises on: with an `async` function, each open stream would keep another frame alive with all its values.
function serveEndpoint(
  deps: RelayDeps,
  responses: (accepted: Accepted) => Served,
  accepted: AcceptedOnSocket,
  endpoint: Endpoint,
): Served | Refusal {
  const { beside } = deps
  if (endpoint.kind === 'realtime') return beside.realtime(accepted)
  if (endpoint.kind === 'responses_socket') return responses(accepted)
  if (accepted.upgrade !== undefined) return { code: 'upgrade_refused', params: { path: accepted.path } }
  switch (endpoint.kind) {
    case 'call':
      return relayCall(deps, accepted, endpoint)
    case 'count':
      return beside.countTokens(accepted, endpoint)
    case 'raw':
      return beside.relayRaw(accepted, endpoint)
    case 'stored':
      return beside.serveStored(accepted, endpoint)
    case 'models':
    case 'model':
      return beside.showModels(accepted, endpoint)
  }
}

/** One request in twelve stages. Each takes the previous value and returns its own, or a refusal. The edge was the first stage. */
async function relayCall({ stages, beside }: RelayDeps, accepted: Accepted, endpoint: CallEndpoint): Served {
  const authorised = await stages.identify(accepted, endpoint)
  if (authorised === undefined || isRefusal(authorised)) return authorised
  const loop = authorised.identity.guard.repeatRpm === 0 ? undefined : await stages.refuseLoop(authorised)
  if (loop !== undefined) return loop
  if (authorised.parsed.foreground !== undefined) {
    return await beside.answerInBackground(authorised, backgroundStages(stages))
  }
  const held = await hold(stages, authorised)
  // Not awaited: while a stream is open, the values of the earlier stages need not be kept.
  return isRefusal(held) ? held : serve(stages, held)
}

async function hold(stages: CallStages, identified: Authorised): Promise<Held | Refusal> {
  const { accepted, identity, parsed } = identified
  const authorised = { ...identified, flight: stages.begin(identified) }
  const admitted = await stages.admit(accepted, identity, estimateTokens(parsed.promptBytes))
  if (isRefusal(admitted)) return admitted
  const resolved = refersToStored(parsed) ? await stages.findStored(authorised) : authorised
  if (isRefusal(resolved)) return resolved
  const planned = stages.plan(resolved)
  if (isRefusal(planned)) return planned
  const reserved = await stages.reserve(planned)
  return isRefusal(reserved) ? reserved : { reserved, admitted }
}

interface Held {
  readonly reserved: Reserved
  readonly admitted: Admitted
}

/** For a client that gets its answer's id in advance, but only once the answer is paid for. */
function backgroundStages(stages: CallStages): BackgroundStages<Held> {
  return {
    hold: async (authorised) => {
      const held = await hold(stages, authorised)
      return isRefusal(held) ? held : ((await held.reserved.hold.pending) ?? held)
    },
    giveBack: ({ reserved }) => stages.giveBack(reserved),
    serve: (held) => serve(stages, held),
  }
}

/** The stages after the hold, which ends exactly once: charged or released. Releasing a charged hold has no effect. */
async function serve(stages: CallStages, { reserved, admitted: { used } }: Held): Promise<undefined> {
  try {
    const answered = await stages.dispatch(reserved)
    if ('failure' in answered) {
      const settled = await stages.release(answered)
      used(settled.settlement?.tokens)
      stages.recordFailure(answered, settled)
      if (answered.failure !== undefined) refuse(reserved.accepted, answered.failure, answered.client)
    } else {
      const all = await stages.deliver(answered)
      const delivered = lacksCounts(all) ? await stages.countMissing(all) : all
      if (storesAnswer(delivered)) await stages.storeAnswer(delivered)
      const settled = await stages.settle(delivered)
      used(settled.settlement?.tokens)
      stages.record(delivered, settled)
    }
  } catch (error) {
    await stages.giveBack(reserved)
    throw error
  }
}
