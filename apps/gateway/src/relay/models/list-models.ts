import type { Refusal } from '@sluice/contract/errors'
import { modelNotFound } from '../caller/served-groups.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { Identity } from '../stages/identity.ts'

export interface ListedModel {
  readonly id: string
  readonly object: 'model'
  /** Unix seconds; a constant, because the real creation time is unknown. */
  readonly created: number
  readonly owned_by: string
  readonly root: string
  readonly parent: null
}

/** The constant that clients of this family have always seen. */
const CREATED = 1_626_777_600

/** The models of the token's groups that a channel serves, within the token's own list. */
export function listModels(routing: RoutingTable, identity: Identity): readonly ListedModel[] {
  const listed: ListedModel[] = []
  for (const [model, owner] of modelsOf(routing, identity)) {
    if (identity.models === undefined || identity.models.has(model)) listed.push(listedModel(model, owner))
  }
  return listed
}

export function findModel(routing: RoutingTable, identity: Identity, model: string): ListedModel | Refusal {
  const owner = modelsOf(routing, identity).get(model)
  const isAllowed = identity.models === undefined || identity.models.has(model)
  return owner !== undefined && isAllowed ? listedModel(model, owner) : modelNotFound(model, identity)
}

function modelsOf(routing: RoutingTable, { group, groups }: Identity): ReadonlyMap<string, string> {
  if (groups === undefined) return routing.models(group)
  const owners = new Map(groups.toReversed().flatMap((each) => [...routing.models(each)]))
  return new Map([...owners].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function listedModel(id: string, owner: string): ListedModel {
  return { id, object: 'model', created: CREATED, owned_by: owner, root: id, parent: null }
}
