import type { WireError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { transcriptionUsage } from '../openai-audio/usage.ts'
import { keySet } from '../splice/key-set.ts'
import { isScanFault, parseScalar, scanObject } from '../splice/scan.ts'
import { usageOfReply, type UsageReport } from '../usage/usage-report.ts'
import { realtimeUsage } from './usage.ts'

/** `response` is the provider's id for the response, because several may run at once; empty without one. */
export type ServerEvent =
  | { readonly kind: 'begun'; readonly response: string }
  /** A part of a response; `audioBytes` and `textBytes` are its decoded sizes. */
  | { readonly kind: 'part'; readonly response: string; readonly audioBytes: number; readonly textBytes: number }
  | {
      readonly kind: 'done'
      readonly response: string
      readonly isWhole: boolean
      readonly usage: UsageReport | undefined
    }
  /** The user's speech was transcribed into this many bytes of text. */
  | { readonly kind: 'transcribed'; readonly usage: UsageReport | undefined; readonly textBytes: number }
  /** Bytes of audio for one output token. */
  | { readonly kind: 'session'; readonly bytesPerToken: number }
  /** `isResponse`: a requested response will not start. */
  | { readonly kind: 'error'; readonly isResponse: boolean }
  | { readonly kind: 'other' }

const KEYS = keySet('type', 'response_id', 'delta')
const QUOTES = 2
const OTHER: ServerEvent = { kind: 'other' }
const SOUND = /^response\.(?:output_)?audio\.delta$/
const TEXT = /^response\.(?:(?:output_)?text|function_call_arguments)\.delta$/
/** 24,000 16-bit samples per second, or 8,000 8-bit ones; twenty tokens per second. */
const PCM_BYTES_PER_TOKEN = 2_400
const G711_BYTES_PER_TOKEN = 400

/** Reads one frame; unknown or unreadable events are `other`. Only the few events that matter are parsed. */
export function readServerEvent(frame: Uint8Array): ServerEvent {
  const scanned = scanObject(frame, KEYS, { duplicates: 'last' })
  if (isScanFault(scanned) || scanned.values.type === undefined) return OTHER
  const type = parseScalar(frame, scanned.values.type)
  if (typeof type !== 'string') return OTHER
  const isSound = SOUND.test(type)
  if (isSound || TEXT.test(type)) {
    const { response_id: span, delta } = scanned.values
    const response = nameOf(span === undefined ? undefined : parseScalar(frame, span))
    const bytes = delta === undefined ? 0 : Math.max(0, delta.end - delta.start - QUOTES)
    const audioBytes = isSound ? Math.floor((bytes * 3) / 4) : 0
    return { kind: 'part', response, audioBytes, textBytes: isSound ? 0 : bytes }
  }
  switch (type) {
    case 'response.created':
      return { kind: 'begun', response: nameOf(asObject(parsed(frame)['response'])?.['id']) }
    case 'response.done':
      return responseDone(parsed(frame))
    case 'conversation.item.input_audio_transcription.completed':
      return transcribed(parsed(frame))
    case 'session.created':
    case 'session.updated':
      return { kind: 'session', bytesPerToken: bytesPerToken(asObject(parsed(frame)['session'])) }
    case 'error':
      return { kind: 'error', isResponse: isAboutResponse(asObject(parsed(frame)['error'])) }
    default:
      return OTHER
  }
}

/** Longer names are ignored, because names are kept while their response runs. */
const NAME_LIMIT = 256
const nameOf = (id: unknown) => (typeof id === 'string' && id.length <= NAME_LIMIT ? id : '')

function parsed(frame: Uint8Array): JsonObject {
  return asObject(parseJson(new TextDecoder().decode(frame))) ?? {}
}

function responseDone(message: JsonObject): ServerEvent {
  const response = asObject(message['response'])
  const isWhole = response?.['status'] === 'completed'
  return { kind: 'done', response: nameOf(response?.['id']), isWhole, usage: usageOfReply(realtimeUsage, message) }
}

function transcribed(message: JsonObject): ServerEvent {
  const { transcript } = message
  const textBytes = typeof transcript === 'string' ? new TextEncoder().encode(transcript).length : 0
  return { kind: 'transcribed', usage: usageOfReply(transcriptionUsage, message), textBytes }
}

/** Clients can provoke other errors at will, and some errors do not refer to an event. */
function isAboutResponse(error: JsonObject | undefined): boolean {
  const param = error?.['param']
  if (error?.['code'] === 'conversation_already_has_active_response') return true
  return typeof param === 'string' && /^response\b/.test(param)
}

function bytesPerToken(session: JsonObject | undefined): number {
  const present = asObject(asObject(asObject(session?.['audio'])?.['output'])?.['format'])?.['type']
  const format = present ?? session?.['output_audio_format']
  return typeof format === 'string' && /pcmu|pcma|g711/.test(format) ? G711_BYTES_PER_TOKEN : PCM_BYTES_PER_TOKEN
}

/** `eventId` is the id of the client's faulty event, if any. */
export function encodeRealtimeError(
  { type, code, message, param }: WireError,
  requestId: string,
  eventId: string | null,
): string {
  const error = { type, code, message: `${message} (request id: ${requestId})`, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${requestId}`, error })
}
