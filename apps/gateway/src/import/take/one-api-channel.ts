import type { Fields } from './fields.ts'
import type { PlacedChannel } from './placed-channel.ts'

/** Members of a channel's config with the same name and meaning here. */
const SAME = [
  'region',
  'ak',
  'sk',
  'user_id',
  'vertex_ai_project_id',
  'vertex_ai_adc',
  'auth_type',
  'api_format',
  'tooling',
]
/** Members that become the field `other` here, whichever of them the type uses. */
const OTHER = ['api_version', 'library_id', 'plugin']
/** Members that change what is sent: without them the channel might not work. */
const DECISIVE = ['custom_headers', 'endpoint_urls']

/** Distributes the values of the `config` of One API and Laisky. */
export function oneApiPlace(fields: Fields, channel: PlacedChannel): PlacedChannel {
  const given = fields.object('config', 200_000)
  if (given === undefined) fields.adapt('config', 'is not a JSON object: left empty')
  const members = Object.entries(given ?? {}).filter(([, value]) => !isBlank(value))
  const config = Object.fromEntries(members.filter(([name]) => SAME.includes(name)))
  const other = OTHER.map((name) => given?.[name]).find((value) => typeof value === 'string' && value !== '')
  const left = members.map(([name]) => name).filter((name) => !SAME.includes(name) && !OTHER.includes(name))
  const decisive = left.find((name) => DECISIVE.includes(name))
  for (const name of left) {
    fields.adapt(`config.${name.slice(0, 40)}`, 'has no counterpart here: left out')
  }
  // These two types take their credentials from the config, whatever the key says.
  const fromConfig = config['ak'] !== undefined || config['vertex_ai_adc'] !== undefined
  return {
    ...channel,
    key: fromConfig ? '' : channel.key,
    other: typeof other === 'string' ? other : channel.other,
    config,
    testingModel: fields.text('testing_model', 255),
    off: channel.off ?? (decisive === undefined ? undefined : `it needs ${decisive}`),
  }
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
