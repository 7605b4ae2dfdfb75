import { publicAddressOf } from '~/lib/status/base-url.ts'

/** The link that carries an invitation code to the registration form. */
export function invitationLink(serverAddress: string, code: string, loadedFrom?: string): string {
  return `${publicAddressOf(serverAddress, loadedFrom)}/register?aff=${encodeURIComponent(code)}`
}
