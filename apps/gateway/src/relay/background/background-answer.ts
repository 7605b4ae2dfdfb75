import { asObject, type JsonObject, parseJson } from '@sluice/dialects/json-value'
import { readStreamEnd } from '@sluice/dialects/openai-responses/background/stream-end'
import type { BackgroundResponse, BackgroundStatus } from '@sluice/store/queries/background-responses'

const RESPONSE_LIMIT = 8_388_608

export interface BackgroundEnd {
  readonly status: BackgroundStatus
  readonly text: string
  readonly providerId: string
}

/** Reads the response from the end of a stream or from an error. `pending` is the response before there was an answer. */
export function endOf(pending: JsonObject, ending: Uint8Array): BackgroundEnd {
  const end = readStreamEnd(ending, String(pending['id']))
  if (end === undefined) return failed(pending, 'server_error', 'The answer ended without a response.')
  if ('error' in end)
    return failed(pending, textOf(end.error['code'], 'server_error'), textOf(end.error['message'], ''))
  if (end.response.length > RESPONSE_LIMIT) {
    return failed(
      pending,
      'response_too_large',
      `The response is longer than the ${RESPONSE_LIMIT} bytes that can be stored.`,
    )
  }
  const status = ENDED.find((each) => each === end.status) ?? 'completed'
  // Translated responses are not stored by their provider, and already have this id.
  const providerId = end.providerId === pending['id'] ? '' : end.providerId
  return { status, text: Buffer.from(end.response).toString(), providerId }
}

const ENDED: readonly BackgroundStatus[] = ['completed', 'incomplete', 'failed', 'cancelled']

function failed(pending: JsonObject, code: string, message: string): BackgroundEnd {
  const response = { ...pending, status: 'failed', error: { code, message } }
  return { status: 'failed', text: JSON.stringify(response), providerId: '' }
}

const textOf = (value: unknown, otherwise: string) => (typeof value === 'string' && value !== '' ? value : otherwise)

/** The response as its client sees it now; `text` is the stored part. */
export function shown({ status, isAlive }: BackgroundResponse, text: string): string {
  const kept = () => asObject(parseJson(text)) ?? {}
  if (status === 'cancelled') return JSON.stringify({ ...kept(), status })
  if (status !== 'in_progress') return text
  return isAlive ? JSON.stringify({ ...kept(), status }) : failed(kept(), 'server_error', GONE).text
}

const GONE = 'The gateway stopped before this response was complete. The part generated until then is charged.'
