import type { Refusal } from '@sluice/contract/errors'
import { splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { Authenticated, Identity } from './authenticate.ts'
import type { Asked } from './calls/asked.ts'
import type { CallKind } from './calls/calls.ts'
import { deployedBody } from './deployed/deployed-body.ts'
import type { CallEndpoint } from './endpoints.ts'

/** A request of a known caller whose shape is known, for models that its key may use: step 3 of ten. */
export interface Authorised extends Authenticated {
  /**
   * The bytes as they came, but with the model of a deployment's path and without a list of further models; never changed after
   * this, so every candidate can be sent its own version of them.
   */
  readonly body: Buffer
  /** Models that the client wants to be tried when the first one cannot answer, in order. */
  readonly further?: readonly string[]
  readonly kind: CallKind
  readonly asked: Asked
}

/** JSON, with any parameters; a missing Content-Type is taken for JSON, as simple clients leave it out. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Reads what the gateway must know of a body. The rest passes through unseen. */
export function identify(
  { accepted, identity }: Authenticated,
  { call: kind, facts, deployment }: Omit<CallEndpoint, 'kind'>,
  bytes: Buffer,
): Authorised | Refusal {
  const type = accepted.headers['content-type']
  if (kind.body === 'json' && type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) {
    return { code: 'unsupported_content_type', params: { got: type.slice(0, 100) } }
  }
  const body = deployment === undefined ? bytes : deployedBody(accepted, bytes, deployment)
  if ('code' in body) return body
  const asked = kind.read(body, type, facts, accepted.headers)
  if ('code' in asked) return asked
  const { cut, models } = asked.steering ?? NO_CUT
  const refused = refuseModels(identity, asked.model, models)
  if (refused !== undefined) return refused
  if (cut === undefined) return { accepted, identity, body, kind, asked }
  const rest = Buffer.concat(splice(body, [cut]))
  const again = kind.read(rest, type, facts, accepted.headers)
  return 'code' in again ? again : { accepted, identity, body: rest, kind, asked: again, further: models }
}

const NO_CUT: Pick<Steering, 'cut' | 'models'> = { cut: undefined, models: [] }

/** The key's list of models holds for every model that the request names. */
function refuseModels({ models }: Identity, model: string, further: readonly string[]): Refusal | undefined {
  if (models === undefined) return undefined
  if (!models.has(model)) return { code: 'model_not_allowed', params: { model }, field: 'model' }
  const barred = further.findIndex((each) => !models.has(each))
  return barred === -1
    ? undefined
    : { code: 'model_not_allowed', params: { model: further[barred] ?? '' }, field: `models[${barred}]` }
}
