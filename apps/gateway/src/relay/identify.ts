import type { Refusal } from '@sluice/contract/errors'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import type { Authenticated } from './authenticate.ts'
import type { Asked } from './calls/asked.ts'
import type { CallKind } from './calls/calls.ts'

/** A request of a known caller whose shape is known, for a model that its key may use: step 3 of ten. */
export interface Authorised extends Authenticated {
  /** The bytes as they came; never changed, so every candidate can be sent its own version of them. */
  readonly body: Buffer
  readonly kind: CallKind
  readonly asked: Asked
}

/** JSON, with any parameters; a missing Content-Type is taken for JSON, as simple clients leave it out. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Reads what the gateway must know of a body. The rest passes through unseen. */
export function identify(
  { accepted, identity }: Authenticated,
  kind: CallKind,
  facts: PathFacts,
  body: Buffer,
): Authorised | Refusal {
  const type = accepted.headers['content-type']
  if (kind.body === 'json' && type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) {
    return { code: 'unsupported_content_type', params: { got: type.slice(0, 100) } }
  }
  const asked = kind.read(body, type, facts, accepted.headers)
  if ('code' in asked) return asked
  const { model } = asked
  if (identity.models?.has(model) === false) return { code: 'model_not_allowed', params: { model }, field: 'model' }
  return { accepted, identity, body, kind, asked }
}
