import type { Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import type { BodyOutput } from '@sluice/contract/route'
import type { createChannel } from '@sluice/contract/routes/channels'

/** A channel that keeps every rule, as it is stored. */
export interface PlannedChannel {
  readonly settings: ChannelSettings
  readonly keys: readonly string[]
}

/** Plans what a form that creates a channel would send. */
export type ChannelPlanner = (form: BodyOutput<typeof createChannel>) => PlannedChannel | Refusal
