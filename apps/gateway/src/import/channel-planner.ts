import type { Refusal } from '@sluice/contract/errors'

/** A channel as the form that creates one would send it. */
export interface ChannelForm {
  readonly name: string
  readonly type: number
  readonly key: string
  readonly keys_in_one: boolean
  readonly base_url: string
  readonly other: string
  readonly models: string
  readonly model_mapping: string | null
  readonly model_configs: string | null
  readonly system_prompt: string | null
  readonly group: string
  readonly priority: number
  readonly weight: number
  readonly ratelimit: number
  readonly testing_model: string | null
  readonly inference_profile_arn_map: string | null
  readonly config: string
}

/** A channel that keeps every rule, as it is stored. */
export interface PlannedChannel {
  readonly settings: {
    readonly name: string
    readonly type: number
    readonly baseUrl: string
    readonly other: string
    readonly models: string
    readonly modelMapping: string | null
    readonly modelConfigs: string | null
    readonly systemPrompt: string | null
    readonly groups: string
    readonly priority: number
    readonly weight: number
    readonly ratelimit: number
    readonly testingModel: string | null
    readonly inferenceProfileArnMap: string | null
    readonly config: string
  }
  readonly keys: readonly string[]
}

export type ChannelPlanner = (form: ChannelForm) => PlannedChannel | Refusal
