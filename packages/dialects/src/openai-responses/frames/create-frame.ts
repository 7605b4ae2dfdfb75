import { keySet } from '../../splice/key-set.ts'
import { isScanFault, scanObject } from '../../splice/scan.ts'
import { cutMember, insertText, splice } from '../../splice/splice.ts'

const TRANSPORT = keySet('stream')

/**
 * The frame that asks on a websocket for what a POST with this body asks for, as chunks. The body is an object that has been read
 * before, names a model, and has neither `type` nor `background`.
 */
export function createFrame(body: Uint8Array): readonly Uint8Array[] {
  const scanned = scanObject(body, TRANSPORT, { duplicates: 'last' })
  if (isScanFault(scanned)) throw new Error('a body that was not read before')
  const { stream } = scanned.values
  const type = insertText(scanned.object.start + 1, '"type":"response.create",')
  // Answers on a websocket are always events.
  return splice(body, stream === undefined ? [type] : [type, cutMember(body, stream)])
}
