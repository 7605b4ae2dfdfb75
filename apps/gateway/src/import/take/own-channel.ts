import type { Fields } from './fields.ts'
import { keysOf } from './new-api-channel.ts'
import type { PlacedChannel } from './placed-channel.ts'

/** A channel that was exported from here: everything is in its place, and credentials are in the key. */
export function ownPlace(fields: Fields, channel: PlacedChannel): PlacedChannel {
  const config = fields.object('config', 200_000)
  if (config === undefined) fields.adapt('config', 'is not a JSON object: left empty')
  return {
    ...channel,
    ...keysOf(fields, channel.key),
    config: config ?? {},
    testingModel: fields.text('testing_model', 255),
  }
}
