import type { JsonObject } from '@sluice/dialects/json-value'
import type { ChannelSetup } from '../channel-setup.ts'

const QIANWEN = 17
const SPARK = 18
/** Asks a model of DashScope to search the web first. */
const SEARCHING = /-internet$/
/** The older channel type names a version where the vendor names a model. */
const SPARK_VERSIONS: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
}

/** How a name of a model that only this family of gateways knows becomes what the vendor understands. */
export function bodyHabit(
  { kind, other }: ChannelSetup,
  model: string,
): ((body: JsonObject) => JsonObject) | undefined {
  if (kind.code === QIANWEN && SEARCHING.test(model)) {
    return (body) => ({ ...body, model: model.replace(SEARCHING, ''), enable_search: true })
  }
  const version = /^sparkdesk(?:-(v\d\.\d))?$/i.exec(model)
  if (kind.code !== SPARK || version === null) return undefined
  const name = SPARK_VERSIONS[version[1] ?? other.trim()]
  return name === undefined ? undefined : (body) => ({ ...body, model: name })
}
