import type {
  AppliedConfiguration,
  ConfigurationPlan,
  ExportedConfiguration,
} from '@sluice/contract/configuration/plan'
import type { Refusal } from '@sluice/contract/errors'

/** Who applies a file over the API. */
export interface RemoteActor {
  readonly id: number
  readonly name: string
  readonly role: number
  readonly address: string
}

/** What reads and applies configuration files that come over the API: their references name open variables only. */
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
