import type { ChannelSetup } from '../channel-setup.ts'
import { vendorOf } from '../kinds/vendor-hosts.ts'

/** Values of `config.websocket`; without one, the kind and the address decide. */
export const SOCKET_CHOICES = ['on', 'off'] as const

/**
 * Whether a channel's provider can be asked for Responses on a websocket at this origin. A compatible server, or a proxy before a
 * vendor, may offer none: there an administrator says so.
 */
export function offersSocket({ kind, config }: Pick<ChannelSetup, 'kind' | 'config'>, origin: string): boolean {
  const chosen = SOCKET_CHOICES.find((choice) => choice === config['websocket'])
  if (chosen !== undefined) return chosen === 'on'
  return kind.offersSocket === true && vendorOf(kind.code)?.origins.includes(origin) === true
}
