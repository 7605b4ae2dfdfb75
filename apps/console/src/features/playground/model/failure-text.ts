import type { FailureTexts } from '../texts/failures-texts.ts'

/**
 * Why a reply failed.
 * - `told`: the gateway or the provider gave the reason, in `text`; '' when it gave none.
 * - `unsent`: no answer arrived at all.
 * - `noBody`: an answer without a body.
 * - `broken`: the connection broke in the middle. `cut`: it ended in order, but before the reply did.
 * - `silent`: nothing arrived for `SILENCE_MS`.
 * - `tooLong`: more than `MOST_CHARACTERS` arrived.
 * - `unreadable`: a part of the stream was not JSON.
 */
export type ReplyFailure =
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'unsent' | 'noBody' | 'broken' | 'cut' | 'silent' | 'tooLong' | 'unreadable' }

/** A reply is abandoned after this time without a single byte. The gateway sends keep-alives far more often. */
export const SILENCE_MS = 300_000
/** Text and reasoning of one reply together: several times the length of any model's longest answer. */
export const MOST_CHARACTERS = 2_000_000
/** Longer texts are cut off. */
const MOST_FAILURE_CHARACTERS = 2_000

export type Asking = 'send' | 'regenerate'

export function failureText(failure: ReplyFailure, asking: Asking, texts: FailureTexts): string {
  switch (failure.kind) {
    case 'told':
      return shortened(failure.text) || texts.streamError
    case 'unsent':
      return texts[asking]
    case 'silent':
      return texts.silent(String(SILENCE_MS / 60_000))
    case 'tooLong':
      return texts.tooLong(MOST_CHARACTERS.toLocaleString('en'))
    default:
      return texts[failure.kind]
  }
}

/**
 * `error.message`, otherwise `error` as text, otherwise `message`, otherwise `detail`, otherwise the status with the body, as it is
 * if it is not JSON.
 */
export function refusalText(status: number, statusText: string, body: string): string {
  const said = parsed(body)
  if (said === undefined) return body.trim() || `HTTP ${status}: ${statusText}`.replace(/: $/, '')
  return errorTextOf(said) || `HTTP ${status}: ${body.trim()}`
}

/** '' when the answer or event has no error text that can be read. */
export function errorTextOf(said: unknown): string {
  if (!isRecord(said)) return ''
  const { error, message, detail } = said
  const inside = isRecord(error) ? error['message'] : undefined
  const found = [inside, error, message, detail].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof found === 'string' ? found : ''
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function shortened(text: string): string {
  return text.length <= MOST_FAILURE_CHARACTERS ? text : `${text.slice(0, MOST_FAILURE_CHARACTERS - 1)}…`
}
