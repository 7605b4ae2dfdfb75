import { settingsOfBody } from '@sluice/contract/fields/channel'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'

/** An enabled OpenAI-compatible channel with one model `m` at ratio 1, as the relay reads it. */
export function channelSnapshot(id: number, more: Partial<ChannelSnapshot> = {}): ChannelSnapshot {
  return {
    ...settingsOfBody({}),
    id,
    name: `c${id}`,
    type: 50,
    status: 1,
    keySealed: 'sealed',
    keyCount: 0,
    disabledKeys: new Set(),
    baseUrl: 'http://upstream.example',
    models: ['m'],
    groups: ['default'],
    modelConfigs: JSON.stringify({ m: { ratio: 1 } }),
    ...more,
  }
}
