import type {
  AppliedConfiguration,
  ConfigurationPlan,
  ExportedConfiguration,
} from '@sluice/contract/configuration/plan'
import type { Refusal } from '@sluice/contract/errors'
import type { Actor } from './apply-changes.ts'
import type { Configuration } from './configuration.ts'
import { loadDocument } from './document/check-document.ts'
import { documentSchema } from './document/document-schema.ts'
import { type Problems, problemText } from './document/read-document.ts'
import type { ResolveSecret } from './document/secrets.ts'

const ACTION = 'POST /api/config/apply'
const RELEASE_ACTION = 'POST /api/config/release'

export function createRemoteConfiguration(configuration: Configuration, resolve: ResolveSecret) {
  return {
    export: async (): Promise<ExportedConfiguration | Refusal> => {
      const exported = await configuration.export()
      return 'document' in exported ? exported : refusalOf(sharedNamesProblem(exported.sharedNames))
    },
    schema: async () => documentSchema() as unknown as Readonly<Record<string, unknown>>,
    plan: async (document: string, prune: boolean): Promise<ConfigurationPlan | Refusal> => {
      const declared = await loadDocument(document, resolve)
      if ('problems' in declared) return invalid(declared)
      const plan = await configuration.plan(declared, prune)
      return 'problems' in plan ? invalid(plan) : plan
    },
    apply: async (
      document: string,
      order: { readonly prune: boolean; readonly state: string | undefined; readonly actor: Actor },
    ): Promise<AppliedConfiguration | Refusal> => {
      const declared = await loadDocument(document, resolve)
      if ('problems' in declared) return invalid(declared)
      const applied = await configuration.apply(declared, { ...order, action: ACTION })
      return 'problems' in applied ? invalid(applied) : applied
    },
    release: async (owner: string, actor: Actor): Promise<number> =>
      await configuration.release(owner, actor, RELEASE_ACTION),
  }
}

export function sharedNamesProblem(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `"${name}"`)
  return `A configuration file identifies channels by name, but several channels are called ${shown.join(', ')}: rename them first.`
}

function invalid({ problems }: Problems): Refusal {
  return refusalOf(problems.map(problemText).join('\n'))
}

function refusalOf(problems: string): Refusal {
  return { code: 'configuration_invalid', params: { problems } }
}
