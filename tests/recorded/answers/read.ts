import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame } from '../../../packages/dialects/src/canon/codec.ts'
import { openSseFrames } from '../../../packages/dialects/src/framing/frames.ts'
import { asObject, type JsonObject, parseJson } from '../../../packages/dialects/src/json-value.ts'

/** One recorded answer: a stream, cut into its messages, or a whole reply. `SOURCES.md` says where each comes from. */
export type RecordedAnswer =
  | { readonly name: string; readonly frames: readonly Frame[] }
  | { readonly name: string; readonly reply: JsonObject }

/** All recorded answers of a dialect, or of one of its variants, by name. */
export function recordedAnswers(dialect: string): readonly RecordedAnswer[] {
  const folder = join(import.meta.dirname, dialect)
  return readdirSync(folder)
    .toSorted()
    .map((name) => readAnswer(name, readFileSync(join(folder, name))))
}

/** The messages of the dialect's streams. */
export function recordedStreams(dialect: string): readonly (readonly Frame[])[] {
  return recordedAnswers(dialect).flatMap((answer) => ('frames' in answer ? [answer.frames] : []))
}

/** One recorded answer, by the end of its name. */
export function readAnswer(name: string, bytes: Uint8Array): RecordedAnswer {
  if (name.endsWith('.sse')) return { name, frames: openSseFrames().push(bytes) }
  const text = new TextDecoder().decode(bytes)
  if (name.endsWith('.jsonl')) return { name, frames: text.trimEnd().split('\n').flatMap(messageOf) }
  return { name, reply: asObject(parseJson(text)) ?? {} }
}

/** `{"contentBlockDelta":{…}}`: the type of an AWS event and its payload. */
function messageOf(line: string): readonly Frame[] {
  return Object.entries(asObject(parseJson(line)) ?? {}).map(([name, payload]) => ({
    name,
    data: JSON.stringify(payload),
  }))
}
