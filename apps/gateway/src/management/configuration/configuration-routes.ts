import type {
  AppliedConfiguration,
  ConfigurationPlan,
  ExportedConfiguration,
} from '@sluice/contract/configuration/plan'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/configuration'
import { bind, type Binding, type Call } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'

export interface RemoteActor {
  readonly id: number
  readonly name: string
  readonly role: number
  readonly address: string
}

/** Reads and applies configuration files sent over the API: their references may name only open variables. */
export interface RemoteConfiguration {
  readonly export: () => Promise<ExportedConfiguration | Refusal>
  readonly schema: () => Promise<Readonly<Record<string, unknown>>>
  readonly plan: (document: string, prune: boolean) => Promise<ConfigurationPlan | Refusal>
  readonly apply: (
    document: string,
    order: { readonly prune: boolean; readonly state: string | undefined; readonly actor: RemoteActor },
  ) => Promise<AppliedConfiguration | Refusal>
  readonly release: (owner: string, actor: RemoteActor) => Promise<number>
}

export interface ConfigurationRouteDeps extends Pick<SharedPorts, 'clientAddress'> {
  readonly configuration: RemoteConfiguration
}

export function configurationRoutes({ configuration, clientAddress }: ConfigurationRouteDeps): readonly Binding[] {
  const actorOf = ({
    caller,
    context,
  }: Pick<Call<typeof routes.applyConfiguration>, 'caller' | 'context'>): RemoteActor => ({
    id: caller.id,
    name: caller.username,
    role: caller.role,
    address: clientAddress(context),
  })
  return [
    bind(routes.exportConfiguration, async () => {
      const exported = await configuration.export()
      return isRefusal(exported) ? exported : { data: exported }
    }),
    bind(routes.configurationSchema, async () => ({ data: { ...(await configuration.schema()) } })),
    bind(routes.planConfiguration, async ({ body: { document, prune } }) => {
      const plan = await configuration.plan(document, prune)
      return isRefusal(plan) ? plan : { data: plan }
    }),
    bind(routes.applyConfiguration, async ({ body: { document, prune, state }, caller, context }) => {
      const applied = await configuration.apply(document, { prune, state, actor: actorOf({ caller, context }) })
      return isRefusal(applied) ? applied : { data: applied }
    }),
    bind(routes.releaseConfiguration, async ({ body: { owner }, caller, context }) => ({
      data: await configuration.release(owner, actorOf({ caller, context })),
    })),
  ]
}
