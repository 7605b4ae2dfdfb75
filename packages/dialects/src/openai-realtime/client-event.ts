import { asObject, type JsonObject } from '../json-value.ts'
import { ADDRESS, ID, readReferences, type Reference, type ReferringMembers, shape } from '../references.ts'
import { isRefused } from '../request-fields.ts'
import { keySet, twinIn } from '../splice/key-set.ts'
import { isScanFault, parseScalar, parseSpan, scanObject, type Span } from '../splice/scan.ts'

/** The parts of a client's event in a realtime session that the gateway needs. */
export interface ClientEvent {
  readonly type: string
  /** The client's own id for the event; error replies refer to it. */
  readonly id: string | null
  /** The whole event if it sets up the session; others are passed on unparsed. */
  readonly setup: JsonObject | undefined
  readonly references: readonly Reference[]
  /** Parses the tools allowed for the one response that is requested; undefined if the event does not mention tools. */
  readonly responseTools: () => unknown
  readonly bytes: number
  /** Inline images, audio and files. */
  readonly media: { readonly count: number; readonly bytes: number }
}

export interface EventFault {
  readonly fault: string
}

const KEYS = keySet('type', 'event_id', 'session', 'response', 'item')
const NAME_LIMIT = 128
/** These determine models and therefore prices; old transcription sessions use the second name. */
const SETUPS: ReadonlySet<string> = new Set(['session.update', 'transcription_session.update'])

/** Reads one frame. Anything that two readers could interpret differently is a fault. */
export function readClientEvent(frame: Uint8Array): ClientEvent | EventFault {
  const scanned = scanObject(frame, KEYS)
  if (isScanFault(scanned)) return { fault: scanned.fault === 'syntax' ? scanned.reason : FAULTS[scanned.fault] }
  const { type: typeSpan, event_id: idSpan } = scanned.values
  const type = typeSpan === undefined ? undefined : parseScalar(frame, typeSpan)
  if (typeof type !== 'string' || type === '' || type.length > NAME_LIMIT) return { fault: 'its type is missing' }
  const id = idSpan === undefined ? null : parseScalar(frame, idSpan)
  const references = readReferences(frame, { spans: scanned.values, mayRefer: scanned.mayRefer }, REFERENCES)
  if (isRefused(references))
    return { fault: `${references.params['field']} ${references.params['rule'] ?? 'occurs more than once'}` }
  const tools = toolsOf(frame, scanned.values.response)
  if (tools !== undefined && isScanFault(tools))
    return { fault: 'response.tools must occur at most once, spelled without escapes' }
  return {
    type,
    id: typeof id === 'string' && id.length <= NAME_LIMIT ? id : null,
    setup: SETUPS.has(type) ? asObject(parseSpan(frame, scanned.object)) : undefined,
    references,
    responseTools: () => tools?.values.tools && parseSpan(frame, tools.values.tools),
    bytes: frame.length,
    media: { count: scanned.mediaCount, bytes: scanned.mediaBytes },
  }
}

const RESPONSE_KEYS = keySet('tools')
const OPEN_OBJECT = 0x7b

function toolsOf(frame: Uint8Array, response: Span | undefined) {
  if (response === undefined || frame[response.start] !== OPEN_OBJECT) return undefined
  return scanObject(frame, RESPONSE_KEYS, { at: response.start, end: response.end })
}

const WITH_PROMPT = shape(() => ({ prompt: shape(() => ({ id: ID })) }))
const WITH_CONTENT = shape(() => ({ content: shape(() => ({ image_url: ADDRESS, file_id: ID })) }))

/** References to objects of the key's account. */
const REFERENCES: ReferringMembers = {
  outer: { session: WITH_PROMPT, response: WITH_PROMPT },
  inner: { item: WITH_CONTENT, response: shape(() => ({ input: WITH_CONTENT })) },
}

const FAULTS = {
  not_object: 'it is not a JSON object',
  duplicate: 'it contains a key more than once',
  twin: 'it contains a key in a different spelling',
} as const

export interface SessionModels {
  /** The session's model, if the event names one. */
  readonly model: unknown
  /** The model that transcribes the user's speech; undefined if transcription is not requested, null if no model is given. */
  readonly transcription: unknown
}

/** Reads the current and the older member. */
export function modelsOf(setup: JsonObject): SessionModels {
  const session = asObject(setup['session'])
  const present = asObject(asObject(session?.['audio'])?.['input'])?.['transcription']
  const wanted = asObject(present ?? session?.['input_audio_transcription'])
  return { model: session?.['model'], transcription: wanted && (wanted['model'] ?? null) }
}

const SETUP_KEYS = keySet('type', 'session')
const SESSION_KEYS = keySet('model', 'audio', 'input_audio_transcription')
const AUDIO_KEYS = keySet('input')
const INPUT_KEYS = keySet('transcription')
const MODEL_KEYS = keySet('model')

/** A member on the path to a model whose name only some readers would accept, with the field that it imitates. */
export function misspeltModel(setup: JsonObject): { readonly field: string; readonly written: string } | undefined {
  const session = asObject(setup['session'])
  const audio = asObject(session?.['audio'])
  const input = asObject(audio?.['input'])
  const places = [
    ['', setup, SETUP_KEYS],
    ['session.', session, SESSION_KEYS],
    ['session.audio.', audio, AUDIO_KEYS],
    ['session.audio.input.', input, INPUT_KEYS],
    ['session.audio.input.transcription.', asObject(input?.['transcription']), MODEL_KEYS],
    ['session.input_audio_transcription.', asObject(session?.['input_audio_transcription']), MODEL_KEYS],
  ] as const
  for (const [path, object, keys] of places) {
    const twin = object && twinIn(object, keys)
    if (twin !== undefined) return { field: `${path}${twin.name}`, written: twin.written }
  }
  return undefined
}

/** Sets the provider's model names. Serialized again, so that every reader interprets the setup the same way. */
export function withModels(
  setup: JsonObject,
  names: { readonly model: string; readonly transcription: string },
): string {
  const session = asObject(setup['session'])
  if (session === undefined) return JSON.stringify(setup)
  const named: Record<string, unknown> = { ...session }
  if ('model' in session) named['model'] = names.model
  const old = asObject(session['input_audio_transcription'])
  if (old !== undefined) named['input_audio_transcription'] = { ...old, model: names.transcription }
  const audio = asObject(session['audio'])
  const input = asObject(audio?.['input'])
  const present = asObject(input?.['transcription'])
  if (present !== undefined) {
    named['audio'] = { ...audio, input: { ...input, transcription: { ...present, model: names.transcription } } }
  }
  return JSON.stringify({ ...setup, session: named })
}
