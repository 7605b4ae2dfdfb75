/**
 * Public address of this system, without a trailing slash: the configured address of the server, otherwise the one that the console
 * was loaded from. A configured loopback address is the setting's default and does not say where the server can be reached.
 */
export function publicAddressOf(serverAddress: string, origin: string): string {
  const configured = URL.parse(serverAddress.trim())
  const says = configured !== null && !/^(localhost|127\..*|\[::1\])$/.test(configured.hostname)
  return (says ? configured.href : origin).replace(/(?<!\/)\/+$/, '')
}

/** Base URL for OpenAI clients. */
export function baseUrlOf(serverAddress: string, origin: string): string {
  return `${publicAddressOf(serverAddress, origin)}/v1`
}
