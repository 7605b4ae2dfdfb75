import { errorInside, type UpstreamError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/** An `error` event has its members at the top level or, as elsewhere, in an object. */
export function errorOf(event: JsonObject): UpstreamError {
  const { message, code, param } = event
  const error = asObject(event['error']) ?? { message, code, param }
  return errorInside({ error }) ?? unreadable('the provider reported an error without a message')
}

/** Why a response is not an answer; undefined if it is one. */
export function errorIn(response: JsonObject): UpstreamError | undefined {
  switch (response['status']) {
    case 'failed':
      return errorInside({ error: response['error'] }) ?? unreadable('the provider reported that the response failed')
    case 'cancelled':
      return unreadable('the response was cancelled at the provider')
    case 'queued':
    case 'in_progress':
      return unreadable('the provider replied before the response was complete')
    default:
      return errorInside({ error: response['error'] })
  }
}

export const unreadable = (message: string): UpstreamError => ({
  message,
  type: undefined,
  code: undefined,
  param: undefined,
})
