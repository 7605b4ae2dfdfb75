import { documentSchema } from '../../apps/gateway/src/declared/document/document-schema.ts'
import { configurationChannel, configurationDocument } from '../../packages/contract/src/configuration/document.ts'
import type { DeclaredName } from '../../packages/contract/src/fields/channel.ts'
import { jsonSchema, type JsonSchema } from '../../packages/contract/src/json-schema.ts'
import { code, page } from './markdown-page.ts'

const OF_DOCUMENT: Readonly<Record<keyof typeof configurationDocument.entries, string>> = {
  version: 'Version of the file format.',
  owner:
    'Label of the file, recorded as the owner of everything that the file lists. Files with different labels own different settings.',
  revision:
    'Raise it with every change: a lower number, or different content under the same number, is not applied. 0: any copy is applied.',
  options:
    'Settings by key, each with a value of its type: true or false, a number, a text, a list, a mapping, or a reference for a secret.',
  channels: 'Channels, in any order.',
}

const OF_CHANNEL: Readonly<Record<DeclaredName | 'key' | 'status', string>> = {
  name: 'Identifies the channel; unique in the file. A different name means a different channel.',
  type: 'Name or number of a [channel type](channel-types.md).',
  key: 'Reference to the key, or to several keys, one per line. If it is missing, an existing channel keeps its keys; a new channel needs one.',
  base_url: 'Address of the provider, if it is not the usual one.',
  other: 'Additional information that the type needs, such as the version of its API.',
  models: 'Models that the channel offers.',
  model_mapping: 'Maps requested model names to the provider’s names.',
  model_configs: 'Prices and caps by model, in the grammar of [prices](../prices.md).',
  system_prompt: 'Replaces the system message of every request.',
  groups: 'Groups that the channel serves; each must be in the option `Groups`.',
  priority: 'Channels with a higher priority are tried first; a negative priority pauses the channel.',
  weight: 'Relative share of requests among channels of the same priority.',
  ratelimit: 'Requests that one token may make in three minutes; 0 sets no limit.',
  testing_model: 'Model for tests, one of `models`; by default the cheapest.',
  inference_profile_arn_map: 'Maps models to ARNs of inference profiles.',
  config: 'Members that the type needs. Credentials among them (`ak`, `sk`, `vertex_ai_adc`) must be references.',
  status:
    'Whether the channel is enabled. If it is missing, a new channel is enabled, and people can enable and disable it.',
}

export function configurationFilePage(): string {
  const rows = [
    ...rowsOf(jsonSchema(configurationDocument), OF_DOCUMENT, ''),
    ...rowsOf(jsonSchema(configurationChannel), OF_CHANNEL, 'channels[].'),
  ]
  return page(
    'Configuration file',
    '`sluice config apply` reads this file, in YAML or JSON ([how to keep it in Git](../how-to/keep-configuration-in-git.md)). A missing field has its default, so the file ' +
      'determines every field of its channels. A reference, `${env:NAME}` or `${file:/path}`, takes the place of a secret. [Options](options.md) ' +
      'lists the options; `Groups` contains all settings of groups. `sluice config schema` prints the JSON Schema, ' +
      '[configuration-file.schema.json](configuration-file.schema.json).',
    ['Field', 'Form', 'Default', 'Meaning'],
    rows,
  )
}

export function configurationFileSchema(): string {
  return `${JSON.stringify(documentSchema(), null, 2)}\n`
}

function rowsOf(
  { properties = {}, required = [] }: JsonSchema,
  meanings: Readonly<Record<string, string>>,
  prefix: string,
): string[][] {
  return Object.entries(properties).map(([name, schema]) => [
    code(`${prefix}${name}`),
    formOf(schema),
    required.includes(name) ? 'required' : schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    meanings[name] ?? '',
  ])
}

function formOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(' or ')
  if (schema.anyOf !== undefined) return 'text or number'
  switch (schema.type) {
    case 'array':
      return 'list'
    case 'object':
      return 'mapping'
    case 'string':
      return schema.pattern?.includes('env:') === true ? 'reference' : 'text'
    default:
      return schema.type ?? ''
  }
}
