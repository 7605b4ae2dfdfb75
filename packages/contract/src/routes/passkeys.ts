import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { unixSeconds } from '../scalars.ts'
import { signedInUser } from '../signed-in-user.ts'

const BASE64URL_MAX = 100_000
const base64url = v.pipe(v.string(), v.maxLength(BASE64URL_MAX), v.regex(/^[\w-]+=*$/, 'must be base64url'))
const name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Passkey name is required'),
  v.maxLength(128, 'Passkey name is limited to 128 characters'),
)

/** The argument for `navigator.credentials.create()` or `.get()`, in WebAuthn's JSON form (Level 3, 5.4 and 5.5). */
const ceremonyOptions = v.object({ publicKey: v.record(v.string(), v.unknown()) })
const clientResponse = { clientDataJSON: base64url } as const
const credentialOf = <Response extends v.ObjectEntries>(response: Response) =>
  v.object({
    id: base64url,
    rawId: base64url,
    type: v.literal('public-key'),
    response: v.object(response),
    clientExtensionResults: v.optional(v.record(v.string(), v.unknown()), {}),
    authenticatorAttachment: v.optional(v.nullable(v.picklist(['platform', 'cross-platform']))),
  })

export const newCredential = credentialOf({
  ...clientResponse,
  attestationObject: base64url,
  transports: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/))),
      v.check((transports) => transports.length <= 10, 'must have at most 10 entries'),
    ),
    [],
  ),
})
export const credentialProof = credentialOf({
  ...clientResponse,
  authenticatorData: base64url,
  signature: base64url,
  userHandle: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
})

export const listPasskeys = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/passkey',
  access: 'account.own',
  summary: 'Own passkeys',
  data: v.array(
    v.object({
      id: rowId,
      credential_name: v.string(),
      sign_count: v.number(),
      created_at: unixSeconds,
      /** 0 for never. */
      last_used_at: unixSeconds,
    }),
  ),
})
export const beginPasskeyRegistration = defineRoute({
  method: 'POST',
  path: '/api/user/passkey/register/begin',
  access: 'account.own',
  summary: 'Start adding a passkey; to be finished within five minutes',
  data: ceremonyOptions,
})
export const finishPasskeyRegistration = defineRoute({
  method: 'POST',
  path: '/api/user/passkey/register/finish',
  access: 'account.own',
  summary: 'Add the passkey that the browser made',
  body: v.object({ credential_name: v.optional(name, 'Passkey'), credential: newCredential }),
})
export const renamePasskey = defineRoute({
  method: 'PUT',
  path: '/api/user/passkey/:id',
  access: 'account.own',
  summary: 'Rename a passkey',
  body: v.object({ credential_name: name }),
})
export const deletePasskey = defineRoute({
  method: 'DELETE',
  path: '/api/user/passkey/:id',
  access: 'account.own',
  summary: 'Remove a passkey, unless it is the only way to sign in; ends every other session',
})
export const beginPasskeyLogin = defineRoute({
  method: 'POST',
  path: '/api/user/passkey/login/begin',
  access: 'public',
  summary: 'Start signing in with a passkey; to be finished within five minutes in the same browser',
  data: ceremonyOptions,
})
export const finishPasskeyLogin = defineRoute({
  method: 'POST',
  path: '/api/user/passkey/login/finish',
  access: 'public',
  summary: 'Sign in with a passkey, which replaces both the password and the TOTP code',
  body: v.object({ credential: credentialProof }),
  data: signedInUser,
})
