import type { Variable } from '../../apps/gateway/src/environment/variable.ts'
import { VARIABLES } from '../../apps/gateway/src/environment/variables.ts'
import { ERRORS } from '../../packages/contract/src/errors.ts'
import type { CatalogueEntry } from '../../packages/contract/src/errors/catalogue-entry.ts'
import type { RouteSpec } from '../../packages/contract/src/route.ts'
import { ROUTES } from '../../packages/contract/src/routes/all.ts'
import { OPTION_DEFINITIONS, type OptionDefinition } from '../../packages/store/src/options/option-definitions.ts'
import { channelKindsText } from './channel-kinds.ts'
import { channelTypesPage } from './channel-types.ts'
import { chartReadme } from './chart-values.ts'
import { configurationFilePage, configurationFileSchema } from './configuration-file.ts'
import { doctorPage } from './doctor.ts'
import { fidelityPage } from './fidelity/page.ts'
import { code, page } from './markdown-page.ts'
import { metricsPage } from './metrics.ts'
import { modelRulesPage } from './model-rules.ts'
import { OPTION_EFFECTS } from './option-effects.ts'
import { providerFailuresPage } from './provider-failures.ts'
import { shapesPage } from './shapes/page.ts'

export function generatedFiles(): ReadonlyMap<string, string> {
  const pages = [...referencePages()].map(([name, text]) => [`docs/reference/${name}`, text] as const)
  return new Map([
    ...pages,
    ['packages/contract/src/channel-kinds.ts', channelKindsText()],
    ['deploy/helm/sluice/README.md', chartReadme()],
  ])
}

/** File name under `docs/reference` → its text, made from the data that the code itself uses. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ['channel-types.md', channelTypesPage(TODAY)],
    ['configuration.md', configurationPage()],
    ['doctor.md', doctorPage()],
    ['configuration-file.md', configurationFilePage()],
    ['configuration-file.schema.json', configurationFileSchema()],
    ['errors.md', errorsPage()],
    ['fidelity.md', fidelityPage()],
    ['management-api.md', managementPage()],
    ['metrics.md', metricsPage()],
    ['model-rules.md', modelRulesPage()],
    ['options.md', optionsPage()],
    ['shapes.md', shapesPage()],
    ['provider-failures.md', providerFailuresPage()],
  ])
}

/** The day on which models count as offered: a page must not change without a commit. */
const TODAY = Date.UTC(2026, 10, 21)

function configurationPage(): string {
  const rows: readonly Variable[] = Object.values(VARIABLES)
  return page(
    'Configuration',
    'Environment variables. An unknown `SLUICE_*` name is refused at start, with the nearest known one.',
    ['Variable', 'Default', 'Example', 'Why change it'],
    rows.map((row) => [code(row.name), code(row.fallback), code(row.example), row.reason]),
  )
}

function errorsPage(): string {
  const entries: readonly (readonly [string, CatalogueEntry])[] = Object.entries(ERRORS)
  return page(
    'Errors',
    'Every expected failure. On the relay the status is sent as it is, in the caller’s dialect. The management API returns HTTP 200 ' +
      'with `success: false` and the code, except the rows marked "management". "Retry" says whether sending the same request again ' +
      'can help: never, later, or after a change. If `Accept-Language` names Chinese first, the management API sends the text in ' +
      'Chinese; codes stay the same. The catalogue is `packages/contract/src/errors`.',
    ['Code', 'Status', 'Type', 'Retry', 'Text'],
    entries.map(([name, entry]) => [
      code(name),
      entry.management ? `${entry.status} (management)` : String(entry.status),
      entry.type,
      entry.retry,
      entry.text,
    ]),
  )
}

function managementPage(): string {
  return page(
    'Management API',
    'Every call, with the capability it needs. Schemas are in the OpenAPI document that a running gateway serves at `/api/openapi.json`.',
    ['Call', 'Access', 'Purpose'],
    ROUTES.toSorted((a, b) => order(a.spec).localeCompare(order(b.spec), 'en')).map(({ spec }) => [
      code(`${spec.method} ${spec.path}`),
      spec.access,
      spec.summary,
    ]),
  )
}

function optionsPage(): string {
  const rows: readonly (readonly [string, OptionDefinition])[] = Object.entries(OPTION_DEFINITIONS)
  const effects = new Map(Object.entries(OPTION_EFFECTS))
  return page(
    'Options',
    'Settings that root changes while the gateway runs (`GET` and `PUT /api/option/`). A value that breaks its rule is refused and nothing ' +
      'is stored; several options in one call are stored together or not at all. Secrets are stored sealed and returned by no call; a blank ' +
      'or masked one keeps what is stored. The last column is the file under `apps/gateway/src` where the option takes effect.',
    ['Option', 'Default', 'Rule', 'Effect', 'Where'],
    rows.map(([key, definition]) => {
      const { effect = '', file = '' } = effects.get(key) ?? {}
      return [code(key), code(defaultText(definition)), ruleText(definition), effect, code(file)]
    }),
  )
}

function defaultText(definition: OptionDefinition): string {
  if (definition.type === 'secret') return ''
  const value: unknown = definition.default
  if (definition.type === 'groups') return [...definition.default.byName.keys()].join(', ')
  if (value instanceof Map) return [...value.keys()].join(', ')
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function ruleText(definition: OptionDefinition): string {
  switch (definition.type) {
    case 'flag':
      return ['true or false', ...(definition.needs ?? []).map((key) => `true needs \`${key}\``)].join('; ')
    case 'integer':
      return `integer from ${definition.min} to ${definition.max}`
    case 'decimal':
      return `number from ${definition.min} to ${definition.max}`
    case 'choice':
      return definition.values.map((value) => (value === '' ? 'empty' : value)).join(', ')
    case 'text':
      return definition.form?.rule ?? `text of at most ${definition.maxLength} characters`
    case 'list':
      return definition.form.rule
    case 'ratios':
      return 'JSON object from group to ratio, from 0 to 1000, with the group `default`'
    case 'groups':
      return 'JSON object from group to `{"ratio", "title", "text", "usable_by", "ratio_for", "order"}`, with the group `default`'
    case 'fallbacks':
      return 'JSON object from a model to a list of 1 to 5 others'
    case 'limits':
      return 'JSON object from group to `{"rpm", "tpm", "concurrency"}`, each 0 to 1000000000'
    case 'prices':
      return 'JSON object from model to prices, at most 2000 models and 500000 characters'
    case 'address':
      return 'http(s) address'
    case 'secret':
      return 'secret'
  }
}

/** By path first, to keep the calls of a resource together. */
function order({ path, method }: RouteSpec): string {
  return `${path} ${method}`
}
