import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame } from '../../../packages/dialects/src/canon/codec.ts'
import { openSseFrames } from '../../../packages/dialects/src/framing/frames.ts'
import { asObject, type JsonObject, parseJson } from '../../../packages/dialects/src/json-value.ts'

/** A recorded answer: a stream, split into its messages, or a whole reply. `SOURCES.md` has their origins. */
export type RecordedAnswer =
  | { readonly name: string; readonly frames: readonly Frame[] }
  | { readonly name: string; readonly reply: JsonObject }

/** All recorded answers of a dialect, or of a variant of one, by name. */
export function recordedAnswers(dialect: string): readonly RecordedAnswer[] {
  const folder = join(import.meta.dirname, dialect)
  return readdirSync(folder)
    .toSorted()
    .map((name) => readAnswer(name, readFileSync(join(folder, name))))
}

export function recordedStreams(dialect: string): readonly (readonly Frame[])[] {
  return recordedAnswers(dialect).flatMap((answer) => ('frames' in answer ? [answer.frames] : []))
}

/** Its kind follows from the name's ending. */
export function readAnswer(name: string, bytes: Uint8Array): RecordedAnswer {
  if (name.endsWith('.sse')) return { name, frames: openSseFrames().push(bytes) }
  const text = new TextDecoder().decode(bytes)
  if (name.endsWith('.jsonl')) return { name, frames: text.trimEnd().split('\n').flatMap(messageOf) }
  return { name, reply: asObject(parseJson(text)) ?? {} }
}

/** `{"contentBlockDelta":{…}}`: an AWS event's type and its payload. */
function messageOf(line: string): readonly Frame[] {
  return Object.entries(asObject(parseJson(line)) ?? {}).map(([name, payload]) => ({
    name,
    data: JSON.stringify(payload),
  }))
}
