import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import type { ChannelRow } from '@sluice/store/queries/channels/channels'
import type { OwnedItem } from '@sluice/store/queries/configuration/owned-items'
import { splitList } from '@sluice/store/snapshots/lists'
import type { ChannelKinds } from '../channel-kinds.ts'
import { usedOnWire } from '../quota-wire.ts'
import { parseConfig, publicConfig } from './channel-config.ts'

const MILLION = 1_000_000

/** A channel as administrators see it: no key, no credentials. `spent` in mq; `owned` by a configuration file. */
export function channelOnWire(
  kinds: ChannelKinds,
  row: ChannelRow,
  { spent, owned }: { readonly spent: bigint; readonly owned: OwnedItem | undefined },
): Channel {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    base_url: row.baseUrl,
    other: row.other,
    models: row.models,
    model_mapping: row.modelMapping,
    model_configs: row.modelConfigs,
    system_prompt: row.systemPrompt,
    group: row.groups,
    priority: row.priority,
    weight: row.weight,
    ratelimit: row.ratelimit,
    status: row.status,
    response_time: row.responseTime,
    test_time: row.testTime,
    testing_model: row.testingModel,
    created_time: row.createdTime,
    ...usedOnWire(spent),
    balance: row.balanceMicros / MILLION,
    balance_currency: row.balanceCurrency,
    balance_updated_time: row.balanceTime,
    inference_profile_arn_map: row.inferenceProfileArnMap,
    // Rows that came from elsewhere might hold credentials.
    config: publicConfig(kinds, parseConfig(row.config)),
    disabled_reason: row.disabledReason,
    disabled_time: row.status === CHANNEL_STATUS.autoDisabled ? Math.floor(row.disabledMs / 1_000) : 0,
    test_models: splitList(row.models).filter(kinds.isChatModel),
    managed_by: owned?.owner ?? '',
    managed_status: owned?.states_status === 1,
    key_count: Math.max(1, row.keyCount),
  }
}
