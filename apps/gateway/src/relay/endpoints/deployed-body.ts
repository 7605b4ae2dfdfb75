import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { formBoundary } from '@sluice/dialects/multipart/form'
import { nameModel, nameModelInForm } from '@sluice/dialects/name-model'
import { splice, splicedLength } from '@sluice/dialects/splice/splice'
import type { Accepted } from '../../edge/exchange.ts'

/**
 * The body as a call to the deployment's model. Azure uses the path and never reads the model in the body, so clients put anything
 * there. Here the body is made to match the path first, so that the model that is checked, priced and logged is the one sent to the
 * provider (classes S8, S25).
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
