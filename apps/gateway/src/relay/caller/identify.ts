import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { Accepted } from '../../edge/exchange.ts'
import { deployedBody } from '../endpoints/deployments.ts'
import type { CallEndpoint } from '../endpoints/endpoints.ts'
import type { Authenticated, Authorised } from '../stages/authorised.ts'
import type { Identity } from '../stages/identity.ts'
import type { Authenticate } from './authenticate.ts'

/** JSON, with any parameters; a missing Content-Type is treated as JSON, because simple clients omit it. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

export type IdentifyCall = (
  accepted: Accepted,
  endpoint: Omit<CallEndpoint, 'kind'>,
) => Promise<Authorised | Refusal | undefined>

/** Undefined if the client left before its body was complete. */
export async function identifyCall(
  authenticate: Authenticate,
  accepted: Accepted,
  endpoint: Omit<CallEndpoint, 'kind'>,
): Promise<Authorised | Refusal | undefined> {
  const identity = await authenticate(accepted)
  if (isRefusal(identity)) return identity
  const { body, refusal } = await accepted.readBody(identity)
  return body === undefined ? refusal : identify({ accepted, identity }, endpoint, body)
}

function identify(
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
