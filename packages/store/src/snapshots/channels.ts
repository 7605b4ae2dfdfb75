import type { Kysely } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { splitList } from './lists.ts'

/** What routing needs of one channel, in every status. JSON texts are as stored; their readers report what is wrong with them. */
export interface ChannelSnapshot {
  readonly id: number
  readonly name: string
  /** Code of the channel kind. */
  readonly type: number
  /** 1 enabled, 2 disabled, 3 disabled automatically. */
  readonly status: number
  /** Sealed for the purpose `channel_key`. */
  readonly keySealed: string
  /** 0: the sealed text is one key as it stands. Otherwise it is a JSON list of this many. */
  readonly keyCount: number
  /** Fingerprints of keys that are switched off. */
  readonly disabledKeys: ReadonlySet<string>
  /** Empty: the kind's own address. */
  readonly baseUrl: string
  readonly other: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly priority: number
  readonly weight: number
  /** Requests per token in three minutes; 0 is unlimited. */
  readonly ratelimit: number
  /** JSON object from requested to upstream model. */
  readonly modelMapping: string | null
  /** JSON object from model to price ratios and token cap. */
  readonly modelConfigs: string | null
  readonly systemPrompt: string | null
  /** JSON object of the kind's own settings, or empty. */
  readonly config: string
  /** JSON object from requested model to the ARN of an inference profile. */
  readonly inferenceProfileArnMap: string | null
}

/** Every channel, by id. */
export async function loadChannels(db: Kysely<Schema>): Promise<readonly ChannelSnapshot[]> {
  const keys = await db.selectFrom('channel_key').select(['channel_id', 'fingerprint']).execute()
  const disabled = Map.groupBy(keys, (key) => key.channel_id)
  const rows = await db
    .selectFrom('channel')
    .select([
      'id',
      'name',
      'type',
      'status',
      'key_sealed as keySealed',
      'key_count as keyCount',
      'base_url as baseUrl',
      'other',
      'models',
      'group_names as groups',
      'priority',
      'weight',
      'ratelimit',
      'model_mapping as modelMapping',
      'model_configs as modelConfigs',
      'system_prompt as systemPrompt',
      'config',
      'inference_profile_arn_map as inferenceProfileArnMap',
    ])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    models: splitList(row.models),
    groups: splitList(row.groups),
    disabledKeys: new Set(disabled.get(row.id)?.map(({ fingerprint }) => fingerprint)),
  }))
}
