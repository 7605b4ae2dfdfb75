import * as routes from '@sluice/contract/routes/channels'
import { listEnabledModels } from '@sluice/store/queries/channels/channels'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'

export function channelTypeRoutes({ kinds, database }: Pick<SharedPorts, 'kinds' | 'database'>): readonly Binding[] {
  return [
    bind(routes.channelMetadata, async ({ query: { type } }) => ({
      data: {
        default_base_url: kinds.defaultBaseUrl(type),
        base_url_editable: kinds.baseUrlEditable(type),
        default_endpoints: [...kinds.defaultEndpoints(type)],
        all_endpoints: [...kinds.endpoints],
        servable: kinds.isServable(type),
        has_balance: kinds.typesWithBalance.includes(type),
        has_model_list: kinds.typesWithModelList.includes(type),
      },
    })),
    bind(routes.channelDefaultPricing, async ({ query: { type } }) => {
      const { modelRatio, completionRatio } = kinds.defaultRatios(type)
      return {
        data: {
          model_ratio: modelRatio,
          completion_ratio: completionRatio,
          model_configs: kinds.defaultModelConfigs(type),
          tooling: '{}',
        },
      }
    }),
    bind(routes.modelsByType, async () => ({
      data: Object.fromEntries(Object.entries(kinds.knownModels()).map(([type, models]) => [type, [...models]])),
    })),
    bind(routes.enabledModels, async () => ({ data: [...(await listEnabledModels(database.kysely))] })),
    bind(routes.listAllModels, async () => ({
      data: kinds.modelOwners().map(({ model, owner }) => ({ id: model, object: 'model' as const, owned_by: owner })),
    })),
  ]
}
