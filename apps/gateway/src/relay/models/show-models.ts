import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'
import type { Authenticate } from '../caller/authenticate.ts'
import type { Admit } from '../caller/limits/admit.ts'
import { familyOf } from '../client/client-formats.ts'
import { showJson } from '../client/show-json.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import type { RoutingTable } from '../routing/routing-table.ts'
import { findModel, type ListedModel, listModels } from './list-models.ts'
import { anthropicModel, anthropicModels, geminiModel, geminiModels } from './vendor-models.ts'

export interface ShowModelsDeps {
  readonly authenticate: Authenticate
  readonly admit: Admit
  readonly routing: () => RoutingTable
}

export async function showModels(
  deps: ShowModelsDeps,
  accepted: Accepted,
  endpoint: Extract<Endpoint, { kind: 'models' | 'model' }>,
): Promise<Refusal | undefined> {
  const identity = await deps.authenticate(accepted)
  if (isRefusal(identity)) return identity
  const admitted = await deps.admit(accepted, identity, undefined)
  if (isRefusal(admitted)) return admitted
  const routing = deps.routing()
  const shape = SHAPES[endpoint.shape ?? familyOf(accepted.headers)]
  if (endpoint.kind === 'models') {
    const page = shape.list(listModels(routing, identity), accepted.query)
    return isRefusal(page) ? page : showJson(accepted, page, identity)
  }
  const found = findModel(routing, identity, endpoint.model)
  return isRefusal(found) ? found : showJson(accepted, shape.one(found))
}

const SHAPES = {
  openai: {
    list: (data: readonly ListedModel[]): object => ({ object: 'list', data }),
    one: (model: ListedModel): object => model,
  },
  anthropic: { list: anthropicModels, one: anthropicModel },
  gemini: { list: geminiModels, one: geminiModel },
}
