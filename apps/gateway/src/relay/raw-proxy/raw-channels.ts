import { hash } from 'node:crypto'
import { kindOf } from '@sluice/providers/kinds/all'
import type { ModelConfigs } from '@sluice/providers/prices/model-config'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import type { Quote } from '@sluice/providers/prices/quote'
import { type ModelPrice, modelPrice, quoteAt } from '@sluice/providers/prices/rates'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { readKeys } from '@sluice/store/snapshots/key-list'
import { CHANNEL_STATUS } from '@sluice/store/statuses'

/** A channel of type Proxy: anything sent under its path goes to its address, with its key. */
export interface RawChannel {
  readonly channel: ChannelSnapshot
  readonly origin: string
  readonly basePath: string
  /** The base URL's query, with its question mark; empty for none. */
  readonly baseQuery: string
  /** The whole `Authorization` header: the first enabled key, unchanged. */
  readonly authorization: string
  /** The price of a call that starts at this time (unix ms). */
  readonly quote: (started: number) => Quote
}

export interface RawChannels {
  /** Undefined for channels of other types and for those that cannot be used. */
  find(id: number): RawChannel | undefined
  readonly problems: readonly { readonly channel: number; readonly problem: string }[]
}

/** The name under which calls are priced and logged, and which a token's list of models must contain. */
export const RAW_MODEL = 'raw-proxy'

const VISIBLE_ASCII = /^[!-~](?:[ -~]*[!-~])?$/
const FREE: Quote = {
  rates: { input: 0n, cachedInput: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 0n },
  tiers: [],
  maxOutput: undefined,
  context: undefined,
  source: 'policy:free',
}

/** `openKey` returns undefined if the stored key cannot be decrypted. `overrides` are the current price overrides. */
export function createRawChannels(
  channels: readonly ChannelSnapshot[],
  openKey: (sealed: string) => string | undefined,
  overrides: () => ModelConfigs,
): RawChannels {
  const byId = new Map<number, RawChannel>()
  const problems: { channel: number; problem: string }[] = []
  for (const channel of channels) {
    if (kindOf(channel.type)?.dialect !== 'raw') continue
    const raw = rawChannel(channel, openKey, overrides)
    if (!('problem' in raw)) byId.set(channel.id, raw)
    else if (channel.status === CHANNEL_STATUS.enabled) problems.push({ channel: channel.id, problem: raw.problem })
  }
  return { find: (id) => byId.get(id), problems }
}

function rawChannel(
  channel: ChannelSnapshot,
  openKey: (sealed: string) => string | undefined,
  overrides: () => ModelConfigs,
): RawChannel | { readonly problem: string } {
  const opened = openKey(channel.keySealed)
  const keys = opened === undefined ? undefined : readKeys(opened, channel.keyCount)
  if (keys === undefined) return { problem: 'its key cannot be decrypted with the current master key' }
  const key = keys.find((each) => !channel.disabledKeys.has(fingerprintOf(each)))?.trim()
  if (key === undefined) return { problem: 'none of its keys is enabled' }
  if (!VISIBLE_ASCII.test(key)) return { problem: 'its key must be printable ASCII characters' }
  const url = URL.parse(channel.baseUrl.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { problem: 'Base URL must be an http or https address' }
  }
  if (url.username !== '' || url.password !== '')
    return { problem: 'Base URL must not contain a user name or password' }
  const configs = parseModelConfigs(channel.modelConfigs)
  if ('problem' in configs) return { problem: `model_configs: ${configs.problem}` }
  return {
    channel,
    origin: url.origin,
    basePath: url.pathname.replace(/(?<!\/)\/+$/, ''),
    baseQuery: url.search,
    authorization: key,
    quote: quoter((now) => modelPrice(channel.type, RAW_MODEL, configs, now), overrides),
  }
}

const fingerprintOf = (key: string) => keyFingerprint(key, (text) => hash('sha256', text))

/** Free, as in the whole family, unless the operator has set a price. */
function quoter(
  priceWith: (overrides: ModelConfigs) => ModelPrice | 'missing',
  overrides: () => ModelConfigs,
): (started: number) => Quote {
  let made = overrides()
  let price = priceWith(made)
  return (started) => {
    const now = overrides()
    if (now !== made) price = priceWith(now)
    made = now
    return price === 'missing' ? FREE : quoteAt(price, started)
  }
}
