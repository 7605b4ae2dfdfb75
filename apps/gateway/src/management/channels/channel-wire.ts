import { channel, type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import { replyOfSettings } from '@sluice/contract/fields/channel'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { ChannelRow } from '@sluice/store/queries/channels/channels'
import type { OwnedItem } from '@sluice/store/queries/configuration/owned-items'
import type { ChannelKinds } from '../channel-kinds.ts'
import { usedOnWire } from '../quota-wire.ts'
import { parseConfig, publicConfig } from './channel-config.ts'

const MILLION = 1_000_000

/** A channel as administrators see it, without key and credentials. `spent` in mq; `owned` by a configuration file. */
export function channelOnWire(
  kinds: ChannelKinds,
  row: ChannelRow,
  { spent, owned }: { readonly spent: bigint; readonly owned: OwnedItem | undefined },
): Channel {
  const values: Channel = {
    ...replyOfSettings(row),
    id: row.id,
    status: row.status,
    response_time: row.responseTime,
    test_time: row.testTime,
    created_time: row.createdTime,
    ...usedOnWire(spent),
    balance: row.balanceMicros / MILLION,
    balance_currency: row.balanceCurrency,
    balance_updated_time: row.balanceTime,
    // Rows from elsewhere might contain credentials.
    config: publicConfig(kinds, parseConfig(row.config)),
    disabled_reason: row.disabledReason,
    disabled_time: row.status === CHANNEL_STATUS.autoDisabled ? Math.floor(row.disabledMs / 1_000) : 0,
    test_models: splitList(row.models).filter(kinds.isChatModel),
    managed_by: owned?.owner ?? '',
    managed_status: owned?.states_status === 1,
    key_count: Math.max(1, row.keyCount),
  }
  return Object.fromEntries(
    Object.entries(channel.entries).map(([name]) => [name, values[name as keyof Channel]]),
  ) as Channel
}
