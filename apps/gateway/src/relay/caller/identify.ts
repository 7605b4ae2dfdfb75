import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { CallKind } from '../calls/calls.ts'
import type { ParsedCall } from '../calls/parsed-call.ts'
import { deployedBody } from '../endpoints/deployed-body.ts'
import type { CallEndpoint } from '../endpoints/endpoints.ts'
import type { CallInFlight } from '../in-flight/in-flight.ts'
import type { Authenticated, Identity } from './authenticate.ts'

/** A request of a known caller whose shape is known, for models that its key may use: stage 3 of twelve. */
export interface Authorised extends Authenticated {
  /**
   * The bytes as they arrived, but with the model of a deployment's path and without a list of further models; never changed after
   * this, so every candidate can be sent its own version of them.
   */
  readonly body: Buffer
  /** Models that the client wants tried, in order, when the first one cannot answer. */
  readonly further?: readonly string[]
  readonly kind: CallKind
  readonly parsed: ParsedCall
  /** Where what becomes of it is noted, for the list of running calls. */
  readonly flight?: CallInFlight
}

/** JSON, with any parameters; a missing Content-Type is taken for JSON, because simple clients leave it out. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Reads what the gateway must know from a body. Everything else passes through unread. */
export function identify(
  { accepted, identity }: Authenticated,
  { call: kind, facts, deployment }: Omit<CallEndpoint, 'kind'>,
  bytes: Buffer,
): Authorised | Refusal {
  const type = accepted.headers['content-type']
  if (kind.body === 'json' && type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) {
    return { code: 'unsupported_content_type', params: { wanted: 'application/json', got: type.slice(0, 100) } }
  }
  const body = deployment === undefined ? bytes : deployedBody(accepted, bytes, deployment)
  if (isRefusal(body)) return body
  const parsed = kind.read(body, type, facts, accepted.headers)
  if (isRefusal(parsed)) return parsed
  const { cut, models } = parsed.steering ?? NO_CUT
  const refused = refuseModels(identity, parsed.model, models)
  if (refused !== undefined) return refused
  if (cut === undefined) return { accepted, identity, body, kind, parsed }
  const rest = Buffer.concat(splice(body, [cut]))
  const again = kind.read(rest, type, facts, accepted.headers)
  return isRefusal(again) ? again : { accepted, identity, body: rest, kind, parsed: again, further: models }
}

const NO_CUT: Pick<Steering, 'cut' | 'models'> = { cut: undefined, models: [] }

/** The key's list of models applies to every model that the request names. */
function refuseModels({ models }: Identity, model: string, further: readonly string[]): Refusal | undefined {
  if (models === undefined) return undefined
  if (!models.has(model)) return { code: 'model_not_allowed', params: { model }, field: 'model' }
  const barred = further.findIndex((each) => !models.has(each))
  return barred === -1
    ? undefined
    : { code: 'model_not_allowed', params: { model: further[barred] ?? '' }, field: `models[${barred}]` }
}
