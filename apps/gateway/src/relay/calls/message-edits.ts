import { cutBillingLine } from '@sluice/dialects/anthropic/billing-line'
import { type MessagesRequest, setSystem } from '@sluice/dialects/anthropic/request'
import { replaceText } from '@sluice/dialects/openai-chat/stream/rewrite'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { CallEdits } from './parsed-call.ts'

/** The changes for one provider in the body of a message, or of a request for its token count. */
export function messageEdits(
  body: Buffer,
  request: Pick<MessagesRequest, 'model' | 'spans'>,
  { model, systemPrompt, ownsDialect }: CallEdits,
): readonly Splice[] {
  const splices: Splice[] = []
  if (model !== request.model) splices.push(replaceText(request.spans.model, model))
  if (systemPrompt !== null && systemPrompt !== '') splices.push(setSystem(request, systemPrompt))
  else if (!ownsDialect) {
    const cut = cutBillingLine(body, request.spans.system)
    if (cut !== undefined) splices.push(cut)
  }
  return splices
}
