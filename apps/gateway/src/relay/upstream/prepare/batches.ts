import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { mostInputs } from '@sluice/providers/capabilities/batch-rules'
import { readEmbedding } from '../../calls/inputs.ts'
import { inexpressible, openSource, type Source } from './upstream-body.ts'

/** Maximum calls for one request; more would keep a provider busy for a single client. */
const BATCHES_MOST = 256

export interface PartialSource {
  readonly source: Source
  readonly inputs: number
}

/** Undefined if the provider creates all embeddings in one call. A list of numbers is one text in tokens. */
export function batchesOf(source: Source, kind: number, model: string): readonly PartialSource[] | Refusal | undefined {
  if (source.kind.endpoint !== 'embeddings') return undefined
  const most = mostInputs(kind, model)
  if (most === undefined) return undefined
  const { json, write } = source.light()
  const { input } = json
  if (!Array.isArray(input) || input.length <= most || !input.every(isInput)) return undefined
  if (input.length > most * BATCHES_MOST)
    return inexpressible({
      field: 'input',
      rule: `must contain at most ${most * BATCHES_MOST} texts: the provider accepts ${most} per call`,
    })
  const parts: PartialSource[] = []
  for (let at = 0; at < input.length; at += most) {
    const some: readonly unknown[] = input.slice(at, at + most)
    const body = write({ ...json, input: some })
    const parsed = readEmbedding(body)
    if (isBodyRefusal(parsed)) throw new Error('a part of a body that had been read')
    parts.push({ source: openSource({ ...source, body, parsed }, source.now), inputs: some.length })
  }
  return parts
}

/** A text, or its tokens. */
function isInput(item: unknown): boolean {
  return typeof item === 'string' || Array.isArray(item)
}
