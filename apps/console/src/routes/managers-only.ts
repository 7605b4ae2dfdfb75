import { type Capability, can } from '@sluice/contract/capability'
import { redirect } from '@tanstack/react-router'
import { AFTER_SIGN_IN } from '../lib/session/redirect-target.ts'
import type { RouteContext } from './context.ts'

/** Redirects users without the capability: the gateway's refusal would look like a lost session. */
export function managersOnly(capability: Capability) {
  return ({ context }: { context: RouteContext }): void => {
    if (!can(context.session.get()?.role, capability)) throw redirect({ href: AFTER_SIGN_IN, replace: true })
  }
}
