import type { Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'
import { type AuthenticateDeps, authenticateKey } from '../authenticate.ts'
import type { Endpoint } from '../endpoints.ts'
import { admit, type AdmitDeps } from '../limits/admit.ts'
import type { RoutingTable } from '../routing-table.ts'
import { showJson } from '../show-json.ts'
import { familyOf } from '../voices.ts'
import { anthropicModel, anthropicModels } from './anthropic-models.ts'
import { geminiModel, geminiModels } from './gemini-models.ts'
import { findModel, type ListedModel, listModels } from './list-models.ts'

export interface ShowModelsDeps extends AuthenticateDeps, AdmitDeps {
  readonly routing: () => RoutingTable
}

/** The models that a key may call, or one of them, in the shape that its client reads. */
export async function showModels(
  deps: ShowModelsDeps,
  accepted: Accepted,
  endpoint: Extract<Endpoint, { kind: 'models' | 'model' }>,
): Promise<Refusal | undefined> {
  const identity = await authenticateKey(deps, accepted)
  if ('code' in identity) return identity
  const admitted = await admit(deps, accepted, identity, undefined)
  if ('code' in admitted) return admitted
  const routing = deps.routing()
  const shape = SHAPES[endpoint.shape ?? familyOf(accepted.headers)]
  if (endpoint.kind === 'models') return showJson(accepted, shape.list(listModels(routing, identity)))
  const found = findModel(routing, identity, endpoint.model)
  return 'code' in found ? found : showJson(accepted, shape.one(found))
}

const SHAPES = {
  openai: {
    list: (data: readonly ListedModel[]): object => ({ object: 'list', data }),
    one: (model: ListedModel): object => model,
  },
  anthropic: { list: anthropicModels, one: anthropicModel },
  gemini: { list: geminiModels, one: geminiModel },
}
