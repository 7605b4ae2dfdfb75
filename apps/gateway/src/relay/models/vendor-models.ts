import type { Refusal } from '@sluice/contract/errors'
import type { ListedModel } from './list-models.ts'

/** A model as Anthropic's API shows it. Unknown properties of a model are null. */
interface AnthropicModel {
  readonly type: 'model'
  readonly id: string
  readonly display_name: string
  /** RFC 3339. */
  readonly created_at: string
  /** Every listed model can be called. */
  readonly lifecycle: 'active'
  readonly deprecated_at: null
  readonly retires_at: null
  readonly capabilities: null
  readonly line: null
  readonly max_input_tokens: null
  readonly max_tokens: null
}

interface AnthropicPage {
  readonly data: readonly AnthropicModel[]
  readonly has_more: boolean
  readonly first_id: string | null
  readonly last_id: string | null
}

/** The same limit as Anthropic's. */
const LIMIT_MAX = 1_000

/** Without a limit all models are returned, not Anthropic's twenty, because most clients read only one page. */
export function anthropicModels(listed: readonly ListedModel[], query: string): AnthropicPage | Refusal {
  const wanted = new URLSearchParams(query)
  const [limit, after, before] = [wanted.get('limit'), wanted.get('after_id'), wanted.get('before_id')]
  const most = limit === null ? listed.length : /^[0-9]{1,4}$/.test(limit) ? Number(limit) : 0
  if (limit !== null && (most < 1 || most > LIMIT_MAX)) return invalid('limit', `must be from 1 to ${LIMIT_MAX}`)
  if (after !== null && before !== null) return invalid('before_id', 'cannot be used together with after_id')
  const positionOf = (id: string) => listed.findIndex((model) => model.id === id)
  const start = after === null ? 0 : positionOf(after) + 1
  const end = before === null ? listed.length : positionOf(before)
  if (after !== null && start === 0) return invalid('after_id', 'must be the id of a model in the list')
  if (end < 0) return invalid('before_id', 'must be the id of a model in the list')
  const left = listed.slice(start, end)
  // A backward page ends where the one before it began.
  const page = before === null ? left.slice(0, most) : left.slice(Math.max(0, left.length - most))
  return {
    data: page.map(anthropicModel),
    has_more: page.length < left.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

export function anthropicModel({ id, created }: ListedModel): AnthropicModel {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1_000).toISOString(),
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    capabilities: null,
    line: null,
    max_input_tokens: null,
    max_tokens: null,
  }
}

const invalid = (field: string, rule: string): Refusal => ({ code: 'invalid_body', params: { field, rule }, field })

/** A model as Google's API shows it. Unknown properties are omitted. */
interface GeminiModel {
  readonly name: string
  readonly displayName: string
  readonly supportedGenerationMethods: readonly string[]
}

const CONVERSATION = ['generateContent', 'streamGenerateContent', 'countTokens']
const EMBEDDING = ['embedContent', 'batchEmbedContents', 'countTokens']

export function geminiModels(listed: readonly ListedModel[]): { readonly models: readonly GeminiModel[] } {
  return { models: listed.map(geminiModel) }
}

export function geminiModel({ id }: ListedModel): GeminiModel {
  const supportedGenerationMethods = /embed/i.test(id) ? EMBEDDING : CONVERSATION
  return { name: `models/${id}`, displayName: id, supportedGenerationMethods }
}
