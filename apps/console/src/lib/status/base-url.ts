/**
 * Where people reach this system, without a slash at the end: the configured address of the server, else the one the console
 * came from. A configured loopback address is the setting's default and says nothing about where the server is reached.
 */
export function publicAddressOf(serverAddress: string, origin: string): string {
  const configured = URL.parse(serverAddress.trim())
  const says = configured !== null && !/^(localhost|127\..*|\[::1\])$/.test(configured.hostname)
  return (says ? configured.href : origin).replace(/(?<!\/)\/+$/, '')
}

/** Base URL that OpenAI clients want. */
export function baseUrlOf(serverAddress: string, origin: string): string {
  return `${publicAddressOf(serverAddress, origin)}/v1`
}
