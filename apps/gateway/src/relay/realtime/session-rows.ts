import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { Settlement, TraceRow } from '@sluice/ledger/operation'
import type { Accepted, ExchangeHead } from '../../edge/exchange.ts'
import { plainCounts } from '../calls/parsed-call.ts'
import type { BillingRule } from '../charge/billing-rule.ts'
import { failedTrace, settlementOf } from '../charge/ledger-rows.ts'
import { inPricedUnits } from '../charge/priced-units.ts'
import { groupOf } from '../stages/attempt.ts'
import type { Identity } from '../stages/identity.ts'
import type { Candidate, Reservation } from '../stages/planned.ts'

export interface AdmittedSession extends Reservation {
  readonly accepted: Accepted
  readonly identity: Identity
  /** Model as the client requested it. */
  readonly model: string
  readonly candidate: Candidate
}

/** The hold for one response, or for the wait before it, with its own id. */
export interface OpenHold extends Reservation {
  readonly accepted: ExchangeHead
  /** Unix milliseconds when the response began, and of its first part; 0 before. */
  begun: number
  firstPart: number
}

export interface Used {
  readonly report?: UsageReport | undefined
  readonly counts?: TokenCounts
}

/** For an interrupted response, as in `billing-rule.ts`. */
export type Charges = Exclude<BillingRule['charges'], 'prompt'>

export interface Ending {
  /** How the response ended, for the log row, as for any answer. */
  readonly ended: string
  readonly status: number
}

export const WHOLE: Ending = { ended: 'complete', status: 200 }
const NO_BODY = Buffer.alloc(0)
/** The status of the session's handshake, shared by all its responses. */
const SWITCHED = 101

/** The charge of one response with its rows. `counts` is its usage; `now` in unix milliseconds. */
export function settlementOfResponse(
  session: AdmittedSession,
  open: OpenHold & Pick<AdmittedSession, 'candidate'>,
  { report, counts }: Used & { readonly counts: TokenCounts },
  { ended, status }: Ending,
  now: number,
): Settlement {
  const { candidate } = open
  const parsed = { model: session.model, stream: true }
  const settlement = settlementOf(
    { ...session, ...open, accepted: sinceBegin(open), body: NO_BODY, parsed },
    {
      tokens: inPricedUnits(counts, candidate.quote.rates),
      reportedNanoUsd: report?.reportedNanoUsd,
      estimated: report?.counts === undefined,
      ended,
      now,
      trace: traceOfResponse(session, open, report, status, now),
    },
  )
  const content = `${settlement.log.content}; session ${session.accepted.id}`
  return { ...settlement, log: { ...settlement.log, content } }
}

export function traceOfResponse(
  session: AdmittedSession,
  open: OpenHold,
  usage: UsageReport | undefined,
  status: number,
  now: number,
): TraceRow {
  const { id: channel, name: channelName } = session.candidate.route.channel
  const { group } = session.candidate
  const { firstPart } = open
  const accepted = sinceBegin(open)
  const tried = { channel, channelName, ...groupOf({ group }) }
  const attempt = { ...tried, started: accepted.received, ended: now, status: SWITCHED, error: '' }
  const times = { status, forwarded: accepted.received, completed: now }
  const bare = failedTrace({ ...session, ...open, accepted, body: NO_BODY, usage }, [attempt], times)
  return { ...bare, firstUpstream: firstPart, firstClient: firstPart, upstreamCompleted: now }
}

function sinceBegin({ accepted, begun }: OpenHold): ExchangeHead {
  return begun === 0 ? accepted : { ...accepted, received: begun }
}

/** Older sessions do not report the usage of transcripts, which are then measured by their speaking time. */
export function countTranscript(textBytes: number): TokenCounts | undefined {
  if (textBytes === 0) return undefined
  const spoken = { audio_ms: textBytes * SPOKEN_MS_PER_BYTE }
  return { ...plainCounts(0, Math.ceil(textBytes / TEXT_BYTES_PER_TOKEN)), units: spoken }
}

/** 150 words a minute; in Chinese four characters a second. */
const SPOKEN_MS_PER_BYTE = 80
const TEXT_BYTES_PER_TOKEN = 3
