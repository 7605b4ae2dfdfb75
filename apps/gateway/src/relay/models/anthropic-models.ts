import type { ListedModel } from './list-models.ts'

interface AnthropicModel {
  readonly type: 'model'
  readonly id: string
  readonly display_name: string
  /** RFC 3339. */
  readonly created_at: string
}

/** All models in one page. */
export function anthropicModels(listed: readonly ListedModel[]) {
  return {
    data: listed.map(anthropicModel),
    has_more: false,
    first_id: listed[0]?.id ?? null,
    last_id: listed.at(-1)?.id ?? null,
  }
}

export function anthropicModel({ id, created }: ListedModel): AnthropicModel {
  return { type: 'model', id, display_name: id, created_at: new Date(created * 1_000).toISOString() }
}
