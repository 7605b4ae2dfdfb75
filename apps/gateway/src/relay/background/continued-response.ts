import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { keySet } from '@sluice/dialects/splice/key-set'
import { isScanFault, scanObject } from '@sluice/dialects/splice/scan'
import { splice } from '@sluice/dialects/splice/splice'
import { readRecalled, PREVIOUS } from '../calls/responses.ts'
import type { Authorised } from '../stages/authorised.ts'
import type { BackgroundDeps } from './answer-in-background.ts'
import { isOwnId } from './background-responses.ts'
import { lookUpBackground } from './serve-background.ts'

/** With the id under which the provider stores the background response. */
export async function continuedResponse(
  deps: Pick<BackgroundDeps, 'backgroundResponses' | 'log'>,
  authorised: Authorised,
): Promise<Authorised | Refusal> {
  const { parsed, identity, kind, body } = authorised
  const previous = parsed.storage?.references.find(({ field, id }) => field === PREVIOUS && isOwnId(id))
  if (previous === undefined) return authorised
  const found = await lookUpBackground(deps, previous.id, identity.userId)
  if (found === undefined || 'code' in found) return found ?? authorised
  if (found.providerId === '') return authorised
  const renamed = withPrevious(body, found.providerId)
  const read = (kind.reread ?? readRecalled)(renamed, parsed.storage?.lost ?? [])
  return isBodyRefusal(read) ? read : { ...authorised, body: renamed, parsed: read }
}

const KEYS = keySet(PREVIOUS)

function withPrevious(body: Uint8Array, id: string): Buffer {
  const scanned = scanObject(body, KEYS)
  const previous = isScanFault(scanned) ? undefined : scanned.values[PREVIOUS]
  if (previous === undefined) throw new Error('a body that was read before')
  return Buffer.concat(splice(body, [{ ...previous, bytes: Buffer.from(JSON.stringify(id)) }]))
}
