import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { formBoundary } from '@sluice/dialects/multipart/form'
import { nameModel, nameModelInForm } from '@sluice/dialects/name-model'
import { splice, splicedLength } from '@sluice/dialects/splice/splice'
import type { Accepted } from '../../edge/exchange.ts'
import { CALL_KINDS, type CallKind } from '../calls/calls.ts'
import { MESSAGES_PATH } from '../calls/messages.ts'
import { RESPONSES_PATH } from '../calls/responses.ts'
import type { CallEndpoint } from './endpoints.ts'
import { percentDecoded } from './percent-decoded.ts'

/**
 * Azure's address for a model's calls: https://learn.microsoft.com/azure/ai-foundry/openai/reference. Its `api-version` selects
 * among dialects of one vendor and means nothing here. A name can contain slashes: it ends where a call begins.
 */
const PATH =
  /^\/openai\/deployments\/([^/].*?)\/((?:chat\/)?completions|embeddings|(?:images|audio)\/\w+|\w+|extensions\/.+)$/

/** Responses and messages name their model in the body, on Azure too. */
const CALLS: ReadonlyMap<string, CallKind> = new Map(
  CALL_KINDS.filter(({ path }) => path.startsWith('/v1/') && path !== RESPONSES_PATH && path !== MESSAGES_PATH).map(
    (call) => [call.path, call],
  ),
)

const NOT_OFFERED = /^(?:batches|extensions\/.+)$/

/** Undefined for paths without a deployment, whose name is the model's. */
export function deployedEndpoint(method: string, path: string): CallEndpoint | Refusal | undefined {
  const [, name, action = ''] = PATH.exec(path) ?? []
  if (name === undefined) return undefined
  const call = CALLS.get(`/v1/${action}`)
  if (call === undefined && NOT_OFFERED.test(action)) return { code: 'not_implemented', params: { path } }
  const deployment = percentDecoded(name)
  // A line break in the name could add parts to a form.
  if (call === undefined || deployment === undefined || /\p{Cc}/u.test(deployment))
    return { code: 'unknown_path', params: { method, path } }
  if (method !== 'POST') return { code: 'method_not_allowed', params: { method, path, allowed: 'POST' } }
  return { kind: 'call', call, facts: {}, deployment }
}

/**
 * Azure uses the path and ignores the body's model, so clients put anything there. The body is first made to match the path, so
 * that the model that is checked, priced and logged is the one sent to the provider (classes S8, S25).
 */
export function deployedBody(
  accepted: Pick<Accepted, 'headers' | 'claimBody'>,
  body: Buffer,
  deployment: string,
): Buffer | Refusal {
  const boundary = formBoundary(accepted.headers['content-type'])
  const splices = boundary === undefined ? nameModel(body, deployment) : nameModelInForm(body, boundary, deployment)
  if (isBodyRefusal(splices)) return splices
  if (splices.length === 0) return body
  const size = splicedLength(body, splices)
  return accepted.claimBody(size) ?? Buffer.concat([...splice(body, splices)], size)
}
