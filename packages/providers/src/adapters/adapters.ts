import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { ChannelAdapters } from './dialect-endpoints.ts'

/** Call once per channel; getting an adapter from the result is cheap. */
export function adaptersOf(setup: ChannelSetup): ChannelAdapters | SetupProblem {
  const adapters = setup.kind.adapters(setup)
  if ('problem' in adapters) return adapters
  return { adapter: (call, model) => (LEADS_AWAY.test(model) ? undefined : adapters.adapter(call, model)) }
}

/** Model names become parts of paths, where these segments would lead elsewhere; no real model has such a name. */
const LEADS_AWAY = /(?:^|[/:])\.{1,2}(?:[/:]|$)/
