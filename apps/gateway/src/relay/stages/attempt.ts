import type { CallCause, Cooldown } from '@sluice/routing/health'
import type { AnswerCall } from './answered.ts'
import type { Candidate } from './planned.ts'

/** One attempt on one channel, as shown in the trace. Times in unix milliseconds. */
export interface Attempt {
  readonly channel: number
  readonly channelName: string
  readonly started: number
  readonly ended: number
  /** Upstream status; 0 when no answer arrived. */
  readonly status: number
  /** Catalogue code; empty on success. */
  readonly error: string
  /** Position of the key, if the channel has several. */
  readonly key?: number
  readonly caller_key?: string
  /** The group that it was made for, if the token has groups. */
  readonly group?: string
  /** Absent on success. */
  readonly cause?: CallCause
  /** The provider's message, if it is not shown to the client. Never contains a key. */
  readonly said?: string
  /** Made over a provider's websocket; absent for an HTTP request. */
  readonly transport?: 'websocket'
  readonly rest?: Pick<Cooldown, 'cause' | 'until'>
}

export function groupOf({ group }: Pick<Candidate, 'group'>): { readonly group?: string } {
  return group === undefined ? {} : { group }
}

export function transportOf({ transport }: Pick<AnswerCall, 'transport'>): Pick<Attempt, 'transport'> {
  return transport === undefined ? {} : { transport }
}
