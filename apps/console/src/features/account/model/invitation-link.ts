import { publicAddressOf } from '../../../lib/status/base-url.ts'

/** The link that carries an invitation code to the registration form. */
export function invitationLink(serverAddress: string, origin: string, code: string): string {
  return `${publicAddressOf(serverAddress, origin)}/register?aff=${encodeURIComponent(code)}`
}
