import type { Refusal } from '@sluice/contract/errors'
import type { BodyOutput } from '@sluice/contract/route'
import type { createChannel, updateChannel } from '@sluice/contract/routes/channels'
import type { ChannelRow, ChannelSettings } from '@sluice/store/queries/channels'
import { splitList } from '@sluice/store/snapshots/lists'
import { invalidField } from '../issue-text.ts'
import { type Config, parseConfig, publicConfig } from './channel-key.ts'

const AZURE = 3
const OPENAI_COMPATIBLE = 50
const BASE_URL_REQUIRED: readonly number[] = [AZURE, OPENAI_COMPATIBLE]
const AZURE_API_VERSION = '2024-03-01-preview'
const DEFAULT_GROUP = 'default'

export type ChannelBody = BodyOutput<typeof createChannel>
export type ChannelPatch = BodyOutput<typeof updateChannel>

/** What is stored of a channel beside its key, and the config with its credentials, from which the key may be made. */
export interface CheckedChannel {
  readonly settings: Omit<ChannelSettings, 'keySealed'>
  readonly config: Config
}

/** Checks a complete channel and brings it into the form it is stored in. */
export function checkChannel(body: ChannelBody): CheckedChannel | Refusal {
  const baseUrl = (body.base_url ?? '').replace(/\/+$/, '')
  if (baseUrl === '' && BASE_URL_REQUIRED.includes(body.type)) {
    return invalidField('base_url', 'Base URL is required for this channel type')
  }
  if (baseUrl !== '' && !isBaseUrl(baseUrl)) {
    return invalidField('base_url', 'must be an http:// or https:// address without user, query and fragment')
  }
  const models = splitList(body.models)
  const testingModel = orNull(body.testing_model)
  if (testingModel !== null && !models.includes(testingModel)) {
    return invalidField('testing_model', 'must be one of the models of the channel')
  }
  const config = parseConfig(body.config ?? '')
  const settings = {
    name: body.name,
    type: body.type,
    baseUrl,
    other: (body.other ?? '').trim() || (body.type === AZURE ? AZURE_API_VERSION : ''),
    models: models.join(','),
    modelMapping: orNull(body.model_mapping),
    modelConfigs: orNull(body.model_configs),
    systemPrompt: orNull(body.system_prompt),
    groups: splitList(body.group).join(',') || DEFAULT_GROUP,
    priority: body.priority,
    weight: body.weight,
    ratelimit: body.ratelimit,
    testingModel,
    inferenceProfileArnMap: orNull(body.inference_profile_arn_map),
    config: publicConfig(config),
  }
  return { settings, config }
}

/** The stored channel with what a patch names: an absent field keeps its value, null clears it. */
export function patchedChannel(stored: ChannelRow, patch: ChannelPatch): ChannelBody {
  const models = patch.models ?? stored.models
  const testingModel = patch.testing_model === undefined ? stored.testingModel : patch.testing_model
  // A testing model that the new list no longer offers falls back to the cheapest, unless it was asked for just now.
  const dropped = patch.testing_model === undefined && !splitList(models).includes(testingModel ?? '')
  const kept = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)
  return {
    name: patch.name ?? stored.name,
    type: patch.type ?? stored.type,
    key: patch.key ?? '',
    base_url: kept(patch.base_url, stored.baseUrl),
    other: kept(patch.other, stored.other),
    models,
    model_mapping: kept(patch.model_mapping, stored.modelMapping),
    model_configs: kept(patch.model_configs, stored.modelConfigs),
    system_prompt: kept(patch.system_prompt, stored.systemPrompt),
    group: patch.group ?? stored.groups,
    priority: patch.priority ?? stored.priority,
    weight: patch.weight ?? stored.weight,
    ratelimit: patch.ratelimit ?? stored.ratelimit,
    testing_model: dropped ? null : testingModel,
    inference_profile_arn_map: kept(patch.inference_profile_arn_map, stored.inferenceProfileArnMap),
    config: kept(patch.config, stored.config),
  }
}

function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text
}

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username === '' && password === '' && search === '' && hash === ''
}
