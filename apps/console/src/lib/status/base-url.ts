import { BASE_PATH } from '../navigation/base-path.ts'

/**
 * Without a trailing slash: the server's configured address, otherwise the one that the console was loaded from. A configured
 * loopback address is the setting's default and does not say where the server can be reached.
 */
export function publicAddressOf(serverAddress: string, loadedFrom = window.location.origin + BASE_PATH): string {
  const configured = URL.parse(serverAddress.trim())
  const says = configured !== null && !/^(localhost|127\..*|\[::1\])$/.test(configured.hostname)
  return (says ? configured.href : loadedFrom).replace(/(?<!\/)\/+$/, '')
}

export function baseUrlOf(serverAddress: string, loadedFrom?: string): string {
  return `${publicAddressOf(serverAddress, loadedFrom)}/v1`
}
