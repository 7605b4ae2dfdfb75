import { asObject, parseJson } from '@sluice/dialects/json-value'
import { errorInside } from '@sluice/dialects/openai-chat/errors'
import { type UsageReader, usageOfReply } from '@sluice/dialects/usage/usage-report'
import type { WholeAnswer } from './asked.ts'

/** Reads a whole JSON answer that has no text to be counted. */
export function readJsonAnswer(reader: UsageReader, body: Buffer): WholeAnswer | { readonly invalid: string } {
  const reply = asObject(parseJson(body.toString()))
  if (reply === undefined) return { invalid: 'it is not a JSON object' }
  return { usage: usageOfReply(reader, reply), error: errorInside(reply), delivered: undefined }
}

/** Events of a stream whose events name their type. */
export function typedEvents(events: readonly object[]): Uint8Array {
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}
