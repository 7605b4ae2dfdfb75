import type { CatalogueEntry } from './errors.ts'

/** The part of the catalogue about signing in with another provider. None is 401 or 403: nobody's session is lost. */
export const PROVIDER_ERRORS = {
  oauth_state_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'This sign-in was not begun in this browser, is over, or was used already. Begin again.',
  },
  provider_disabled: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'Signing in with {provider} is switched off.',
  },
  provider_failed: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'Signing in with {provider} failed: {reason}.',
  },
  identity_taken: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'This {provider} account belongs to another user here.',
  },
  account_disabled: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'This account has been disabled.',
  },
} as const satisfies Record<string, CatalogueEntry>
