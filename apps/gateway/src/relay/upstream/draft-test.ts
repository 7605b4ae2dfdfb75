import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import { createRoutingTable } from '../routing/routing-table.ts'
import type { AskDeps } from './ask-upstream.ts'
import { createChannelTest, type ChannelTestResult } from './channel-test.ts'

/** The settings of an unsaved channel, with `key` in clear. */
export interface DraftChannel extends Omit<ChannelSnapshot, keyof typeof NOWHERE | 'id' | 'disabledKeys'> {
  readonly key: string
}

/** Fields that identify a channel and route requests to it; a test does not need them. */
const NOWHERE = {
  name: '',
  status: CHANNEL_STATUS.enabled,
  keySealed: '',
  keyCount: 0,
  groups: [],
  priority: 0,
  weight: 0,
  ratelimit: 0,
} as const

const NO_ID = 0

/** Sends one short request through an unsaved channel, on the usual path. Charges nothing. */
export function createDraftTest(deps: AskDeps & { readonly callerKeyOrigins: readonly string[] }) {
  return async (
    { key, ...draft }: DraftChannel,
    model: string | null,
    signal: AbortSignal,
  ): Promise<ChannelTestResult> => {
    const snapshot: ChannelSnapshot = { ...draft, ...NOWHERE, id: NO_ID, disabledKeys: new Set() }
    const { table } = createRoutingTable([snapshot], () => key, undefined, deps.callerKeyOrigins)
    return await createChannelTest({ ...deps, routing: () => table })(NO_ID, model, signal)
  }
}
