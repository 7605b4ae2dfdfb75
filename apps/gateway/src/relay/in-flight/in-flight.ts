import type { RunningCall, RunningStage } from '@sluice/observe/running-call'
import type { Accepted } from '../../edge/exchange.ts'
import { LiveSet } from '../../process/live-set.ts'
import { sessionDigest } from '../caller/session-name.ts'
import { type Progress, NOTHING_YET } from '../stages/authorised.ts'
import { CallStopped } from '../stages/call-stopped.ts'
import type { Identity } from '../stages/identity.ts'

export interface CallFacts {
  readonly accepted: Pick<Accepted, 'id' | 'received' | 'headers' | 'interrupt' | 'atEnd'>
  readonly identity: Pick<Identity, 'userId' | 'username' | 'tokenId' | 'tokenName'>
  readonly parsed: { readonly model: string; readonly stream: boolean }
  /** Absent for a call that has no body, or whose body is read later. */
  readonly body?: Buffer
}

interface Asked {
  readonly route: { readonly channel: { readonly id: number; readonly name: string } }
}

/**
 * A relayed call, from the moment its caller is known until its end. Its events are recorded as they happen; nothing is computed.
 */
export class CallInFlight {
  stage: RunningStage = 'waiting'
  candidate: Asked | undefined
  /** The part that has arrived so far; undefined for an answer in one piece. Computed only for a list. */
  progress: (() => Progress) | undefined

  readonly #facts: CallFacts
  #body: Buffer | undefined
  #session: string | undefined

  constructor(facts: CallFacts) {
    this.#facts = facts
    this.#body = facts.body
  }

  get id(): string {
    return this.#facts.accepted.id
  }

  get userId(): number {
    return this.#facts.identity.userId
  }

  /** The body has arrived; it can name the call's session. */
  hasRead(body: Buffer): void {
    this.#body = body
    this.#session = undefined
  }

  asks(candidate: Asked): void {
    this.stage = 'asking'
    this.candidate = candidate
  }

  streams(progress: () => Progress): void {
    this.stage = 'streaming'
    this.progress = progress
  }

  stop(): void {
    this.#facts.accepted.interrupt(new CallStopped())
  }

  view(): RunningCall {
    const { accepted, identity, parsed } = this.#facts
    const { userId, username, tokenName } = identity
    const channel = this.candidate?.route.channel
    const { tokens, amount } = this.progress?.() ?? NOTHING_YET
    return {
      id: accepted.id,
      userId,
      username,
      tokenName,
      model: parsed.model,
      channel: channel?.id ?? 0,
      channelName: channel?.name ?? '',
      stage: this.stage,
      isStream: parsed.stream,
      started: accepted.received,
      tokens,
      amount: Number(amount),
      session: (this.#session ??= sessionDigest(accepted.headers, identity, this.#body)),
    }
  }
}

/** The running calls of one relay. Each call costs one object and one set entry. */
export interface InFlight {
  begin(facts: CallFacts): CallInFlight
  /** The running calls of this user, or of all users, oldest first. */
  list(userId: number | undefined, most: number): readonly RunningCall[]
  /** False if there is no call with this id, or it belongs to another user. */
  stop(id: string, userId: number | undefined): boolean
}

export function createInFlight(): InFlight {
  const calls = new LiveSet<CallInFlight>()
  return {
    begin: (facts) => {
      const call = new CallInFlight(facts)
      facts.accepted.atEnd(calls.add(call))
      return call
    },
    list: (userId, most) => {
      const found: CallInFlight[] = []
      calls.forEach((call) => {
        if (userId === undefined || call.userId === userId) found.push(call)
      })
      // Ids begin with their creation time.
      found.sort((a, b) => (a.id < b.id ? -1 : 1))
      return found.slice(0, most).map((call) => call.view())
    },
    stop: (id, userId) => {
      let isFound = false
      calls.forEach((call) => {
        if (call.id !== id || (userId !== undefined && call.userId !== userId)) return
        isFound = true
        call.stop()
      })
      return isFound
    },
  }
}
