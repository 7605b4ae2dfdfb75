import type { Refusal } from '@sluice/contract/errors'
import type { Identity } from '../caller/authenticate.ts'
import type { RoutingTable } from '../routing/routing-table.ts'

/** A model as OpenAI's list shows it. */
export interface ListedModel {
  readonly id: string
  readonly object: 'model'
  /** Unix seconds; a constant, because it is not known when a provider made it. */
  readonly created: number
  readonly owned_by: string
  readonly root: string
  readonly parent: null
}

/** The constant that clients of this family have always seen. */
const CREATED = 1_626_777_600

/** What the token can call at the moment: the models of its group that a channel serves, within the token's own list. */
export function listModels(routing: RoutingTable, identity: Identity): readonly ListedModel[] {
  const listed: ListedModel[] = []
  for (const [model, owner] of routing.models(identity.group)) {
    if (identity.models === undefined || identity.models.has(model)) listed.push(listedModel(model, owner))
  }
  return listed
}

export function findModel(routing: RoutingTable, identity: Identity, model: string): ListedModel | Refusal {
  const owner = routing.models(identity.group).get(model)
  const isAllowed = identity.models === undefined || identity.models.has(model)
  if (owner !== undefined && isAllowed) return listedModel(model, owner)
  return { code: 'model_not_found', params: { model }, field: 'model' }
}

function listedModel(id: string, owner: string): ListedModel {
  return { id, object: 'model', created: CREATED, owned_by: owner, root: id, parent: null }
}
