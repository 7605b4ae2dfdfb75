import { randomUUID } from 'node:crypto'
import { createPriceOverrides } from '@sluice/providers/prices/price-overrides'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import type { Vault } from '@sluice/store/vault'
import { createAddressGuard, type PrivatePolicy } from '../../outbound/address-guard.ts'
import { openGuardedAgent, type StageTimeouts } from '../../outbound/guarded-agent.ts'
import type { FetchGuarded } from '../../outbound/guarded-fetch.ts'
import { createRoutingTable } from '../routing/routing-table.ts'
import { createChannelTest, type TestChannel } from './channel-test.ts'
import { createUpstreamTokens } from './upstream-tokens.ts'

export interface StoredTest {
  readonly test: TestChannel
  close(): Promise<void>
}

/** Channels are tested one after the other. */
const CONNECTIONS = 1

/** For commands: tests stored channels without a relay. */
export function openStoredTest(parts: {
  readonly channels: readonly ChannelSnapshot[]
  readonly vault: Pick<Vault, 'open'>
  readonly priceOverrides: string
  readonly config: StageTimeouts & {
    readonly answerLimit: number
    readonly upstreamPrivate: PrivatePolicy
    readonly callerKeyOrigins: readonly string[]
  }
  readonly fetchGuarded: FetchGuarded
  /** Unix milliseconds. */
  readonly now: () => number
}): StoredTest {
  const { channels, vault, priceOverrides, config, fetchGuarded, now } = parts
  const openKey = (sealed: string): string | undefined => {
    const opened = vault.open('channel_key', sealed)
    return opened.ok ? opened.text : undefined
  }
  const overrides = createPriceOverrides(
    () => priceOverrides,
    () => {},
  )
  const { table } = createRoutingTable(channels, openKey, overrides, config.callerKeyOrigins)
  const upstreams = openGuardedAgent(createAddressGuard(config.upstreamPrivate), config, CONNECTIONS)
  const test = createChannelTest({
    upstreams,
    times: config,
    answerLimit: config.answerLimit,
    upstreamTokens: createUpstreamTokens({ fetch: fetchGuarded, now, nonce: randomUUID }),
    now,
    steady: () => performance.now(),
    routing: () => table,
  })
  return { test, close: () => upstreams.destroy() }
}
