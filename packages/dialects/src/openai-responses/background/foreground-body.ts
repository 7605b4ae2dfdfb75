import type { Span } from '../../splice/scan.ts'
import { insertText, splice, type Splice } from '../../splice/splice.ts'
import type { ResponsesRequest } from '../request.ts'

/** The body of the same request for a client that waits: as a stream, so that what was made is known at any moment. */
export function foregroundBody(body: Uint8Array, { spans }: Pick<ResponsesRequest, 'spans'>): readonly Uint8Array[] {
  const { background, stream } = spans
  const splices: Splice[] = []
  if (background !== undefined) splices.push(put(background, 'false'))
  if (stream !== undefined) splices.push(put(stream, 'true'))
  // The body names at least a model, so a comma always follows the inserted member.
  else splices.push(insertText(spans.body.start + 1, '"stream":true,'))
  return splice(body, splices)
}

const TEXT = new TextEncoder()
const put = ({ start, end }: Span, text: string): Splice => ({
  start,
  end,
  bytes: TEXT.encode(text),
})
