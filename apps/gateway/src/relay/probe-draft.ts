import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import type { AskDeps } from './ask-upstream.ts'
import { createProbe, type ProbeResult } from './probe.ts'
import { buildRoutingTable } from './routing-table.ts'

/** What of an unsaved channel decides how its provider is called. `key` in clear. */
export interface DraftChannel extends Pick<
  ChannelSnapshot,
  | 'type'
  | 'baseUrl'
  | 'other'
  | 'config'
  | 'models'
  | 'modelMapping'
  | 'modelConfigs'
  | 'systemPrompt'
  | 'inferenceProfileArnMap'
> {
  readonly key: string
}

/** No stored channel has it. */
const NO_ID = 0

/** Sends one short request through a channel that nobody has saved, by the same path as any other. Charges nothing. */
export function createDraftProbe(deps: AskDeps) {
  return async ({ key, ...draft }: DraftChannel, model: string | null, signal: AbortSignal): Promise<ProbeResult> => {
    const snapshot: ChannelSnapshot = {
      ...draft,
      id: NO_ID,
      name: '',
      status: 1,
      keySealed: '',
      keyCount: 0,
      disabledKeys: new Set(),
      groups: [],
      priority: 0,
      weight: 0,
      ratelimit: 0,
    }
    const { table } = buildRoutingTable([snapshot], () => key)
    return await createProbe({ ...deps, routing: () => table })(NO_ID, model, signal)
  }
}
