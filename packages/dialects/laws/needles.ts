import type { Part } from '../src/canon/parts.ts'
import type { CanonRequest } from '../src/canon/request.ts'
import { asObject, parseJson } from '../src/json-value.ts'
import { callable, type Facet } from './facets.ts'

/** A part of a request that must be found in what a provider receives. */
export interface Needle {
  readonly facet: Facet
  readonly value: string | number
}

/** All texts and numbers that mean the same wherever they are. */
export function needlesOf(request: CanonRequest): readonly Needle[] {
  const { sampling, reasoning, format } = request
  const some = (facet: Facet, ...values: readonly (string | number | undefined)[]): readonly Needle[] =>
    values.flatMap((value) => (value === undefined ? [] : { facet, value }))
  return [
    ...request.system.flatMap(({ text }) => some('system', text)),
    ...request.turns.flatMap(({ role, parts, name }) => [
      ...some('names', name),
      ...parts.flatMap((part) => (role === 'system' ? some('system_midway', textOf(part)) : needlesOfPart(part))),
    ]),
    ...callable(request).flatMap(({ name, description, schema }) =>
      some('tools', name, description, ...wordsOf(schema)),
    ),
    ...some('format', ...(format?.type === 'schema' ? wordsOf(format.schema) : [])),
    ...some('budget', reasoning?.budget),
    ...some('max_tokens', request.maxTokens),
    ...some('temperature', sampling.temperature),
    ...some('top_p', sampling.topP),
    ...some('top_k', sampling.topK),
    ...some('stop', ...(sampling.stop ?? [])),
    ...some('n', sampling.n),
    ...some('seed', sampling.seed),
    ...some('penalties', sampling.presencePenalty, sampling.frequencyPenalty),
    ...some('user', request.user),
    ...some('metadata', ...wordsOf(request.metadata)),
  ]
}

function needlesOfPart(part: Part): readonly Needle[] {
  switch (part.kind) {
    case 'text':
      return [{ facet: 'conversation', value: part.text }]
    case 'reasoning':
      return [{ facet: 'reasoning', value: part.text }]
    case 'refusal':
      return [{ facet: 'refusals', value: part.text }]
    case 'tool-call':
      return [
        { facet: 'conversation', value: part.name },
        ...wordsOf(parseJson(part.args)).map((value): Needle => ({ facet: 'conversation', value })),
      ]
    case 'tool-result':
      return part.parts.flatMap(needlesOfPart)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return [{ facet: FACET[part.kind], value: source(part) }]
    case 'opaque':
      return []
  }
}

const FACET = { image: 'images', audio: 'audio', video: 'video', file: 'files' } as const

function source({ source: from }: Extract<Part, { readonly source: unknown }>): string {
  return from.type === 'base64' ? from.data : from.type === 'url' ? from.url : from.id
}

function textOf(part: Part): string | undefined {
  return part.kind === 'text' ? part.text : undefined
}

/** Every string inside a value, including member names. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(wordsOf)
  return Object.entries(asObject(value) ?? {}).flatMap(([name, member]) => [name, ...wordsOf(member)])
}

/** The texts and numbers of a body, including those in texts that are themselves JSON. */
export class Haystack {
  readonly #texts: string[] = []
  readonly #numbers = new Set<number>()

  constructor(body: unknown) {
    this.#collect(body)
  }

  holds({ value }: Needle): boolean {
    return typeof value === 'number' ? this.#numbers.has(value) : this.#texts.some((text) => text.includes(value))
  }

  #collect(value: unknown): void {
    if (typeof value === 'number') this.#numbers.add(value)
    if (typeof value === 'string') this.#collectText(value)
    if (Array.isArray(value)) for (const member of value) this.#collect(member)
    for (const [name, member] of Object.entries(asObject(value) ?? {})) {
      this.#texts.push(name)
      this.#collect(member)
    }
  }

  #collectText(text: string): void {
    this.#texts.push(text)
    if (/^\s*[[{]/.test(text)) this.#collect(parseJson(text))
  }
}
