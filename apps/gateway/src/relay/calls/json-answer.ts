import { errorInside } from '@sluice/dialects/canon/upstream-error'
import { replyMembers } from '@sluice/dialects/reply-members'
import { type UsageReader, usageOfReply } from '@sluice/dialects/usage/usage-report'
import type { WholeAnswer } from './answer-reader.ts'

/** Reads a whole JSON answer that has no text to be counted. */
export function readJsonAnswer(reader: UsageReader, body: Buffer): WholeAnswer | { readonly invalid: string } {
  const reply = replyMembers(body)
  if ('invalid' in reply) return reply
  return { usage: usageOfReply(reader, reply.members), error: errorInside(reply.members), delivered: undefined }
}

export function typedEvents(events: readonly object[]): Uint8Array {
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}
