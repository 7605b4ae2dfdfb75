/**
 * Base URL that OpenAI clients want: the configured address of the server, else the one the console came from. A
 * configured loopback address is the setting's default and says nothing about where the server is reached.
 */
export function baseUrlOf(serverAddress: string, origin: string): string {
  const configured = URL.parse(serverAddress.trim())
  const says = configured !== null && !/^(localhost|127\..*|\[::1\])$/.test(configured.hostname)
  return `${(says ? configured.href : origin).replace(/\/+$/, '')}/v1`
}
