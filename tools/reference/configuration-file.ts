import { documentSchema } from '../../apps/gateway/src/declared/document/document-schema.ts'
import { configurationChannel, configurationDocument } from '../../packages/contract/src/configuration/document.ts'
import type { DeclaredName } from '../../packages/contract/src/fields/channel.ts'
import { jsonSchema, type JsonSchema } from '../../packages/contract/src/json-schema.ts'
import { code, page } from './markdown-page.ts'

const OF_DOCUMENT: Readonly<Record<keyof typeof configurationDocument.entries, string>> = {
  version: 'The form of the file.',
  owner: 'Label of the file. What a file owns is recorded under it; files with different labels own different things.',
  revision:
    'Raised with every change, it keeps an older copy of the file from being applied, and another content under the same number. 0: any copy is applied.',
  options:
    'Settings by key, each in the form of its type: true or false, a number, a text, a list, a mapping, or a reference for a secret.',
  channels: 'Channels, in any order.',
}

const OF_CHANNEL: Readonly<Record<DeclaredName | 'key' | 'status', string>> = {
  name: 'What the channel is found by, unique in the file. Another name is another channel.',
  type: 'Name or number of a [channel type](channel-types.md).',
  key: 'Reference to its key, or to several, one per line. Without it the channel keeps the keys that it has; a new channel needs one.',
  base_url: 'Address of the provider, where it is not the usual one.',
  other: 'What the type needs besides, such as the version of its API.',
  models: 'Models that it offers.',
  model_mapping: 'Requested name to the name at the provider.',
  model_configs: 'Prices and caps by model, in the grammar of [prices](../prices.md).',
  system_prompt: 'Takes the place of the system message of every request.',
  groups: 'Groups that it serves; each must be one of the option `Groups`.',
  priority: 'Channels with a higher one are tried first; a negative one pauses the channel.',
  weight: 'Share among channels of the same priority.',
  ratelimit: 'Requests that one token may make in three minutes; 0 sets no limit.',
  testing_model: 'Model of its tests, one of `models`; otherwise the cheapest.',
  inference_profile_arn_map: 'Model to the ARN of an inference profile.',
  config: 'Members that the type needs. Those that are credentials (`ak`, `sk`, `vertex_ai_adc`) are references.',
  status: 'Whether it is on. Without it a new channel is on, and can be switched on and off by hand.',
}

/** The fields of a configuration file. */
export function configurationFilePage(): string {
  const rows = [
    ...rowsOf(jsonSchema(configurationDocument), OF_DOCUMENT, ''),
    ...rowsOf(jsonSchema(configurationChannel), OF_CHANNEL, 'channels[].'),
  ]
  return page(
    'Configuration file',
    'What `sluice config apply` takes, in YAML or JSON ([how to keep it in Git](../how-to/keep-configuration-in-git.md)). A field that is left out has its default, so a ' +
      'channel is as the file says in all of them. A reference is `${env:NAME}` or `${file:/path}`, and stands where a secret belongs. The ' +
      'options are listed in [options](options.md); `Groups` has everything about groups. The JSON Schema is ' +
      '[configuration-file.schema.json](configuration-file.schema.json), which `sluice config schema` prints.',
    ['Field', 'Form', 'Default', 'Meaning'],
    rows,
  )
}

/** The JSON Schema of a configuration file, as text. */
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
