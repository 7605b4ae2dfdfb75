import type { Frame } from '../../src/canon/codec.ts'
import { asObject, type JsonObject, parseJson } from '../../src/json-value.ts'

/** Returns the first fault of a client's stream, if any. Written from the providers' references. */
export type StreamOrder = (frames: readonly Frame[]) => string | undefined

export interface Message {
  readonly at: number
  readonly name: string
  readonly body: JsonObject
}

export function messagesOf(frames: readonly Frame[]): readonly Message[] {
  return frames.flatMap(({ name, data }, at) => {
    const body = asObject(parseJson(data))
    return body === undefined ? [] : [{ at, name, body }]
  })
}

export function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(asObject).filter((member) => member !== undefined) : []
}
