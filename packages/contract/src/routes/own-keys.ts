import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { unixSeconds } from '../scalars.ts'
import { accountProof } from '../user.ts'

/** In characters; sign-in tokens are longer than keys. */
const OWN_KEY_MAX = 8_192
const OWN_KEY_MIN = 8
const OWN_KEY_LABEL_MAX = 64

/** A user's stored provider key for their own calls. The key itself is never shown again. */
export const ownKey = v.object({
  id: rowId,
  vendor: v.string(),
  label: v.string(),
  /** Reveals nothing about the key; the same in logs and traces. */
  fingerprint: v.string(),
  /** Whether the platform's channels may serve, at their price, requests that this key could not. */
  fallback: v.boolean(),
  created_at: unixSeconds,
})
export type OwnKey = v.InferOutput<typeof ownKey>

const key = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(OWN_KEY_MIN, `must be at least ${OWN_KEY_MIN} characters`),
  v.maxLength(OWN_KEY_MAX, `is limited to ${OWN_KEY_MAX} characters`),
  v.regex(/^[!-~]+$/, 'must be printable ASCII without spaces'),
)

export const listOwnKeys = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/own_keys',
  access: 'account.own',
  summary: 'One’s own provider keys, by their fingerprints, and the vendors whose keys at least one channel accepts',
  data: v.object({ keys: v.array(ownKey), vendors: v.array(v.string()) }),
})
export const putOwnKey = defineRoute({
  method: 'PUT',
  path: '/api/user/own_keys',
  access: 'account.own',
  summary:
    'Store or replace one’s own key for a vendor, with identity confirmation; without a key only the label and the fallback change, and enabling the fallback also requires confirmation',
  body: v.object({
    vendor: v.pipe(v.string(), v.trim(), v.minLength(1, 'is required'), v.maxLength(64)),
    key: v.optional(key),
    label: v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.maxLength(OWN_KEY_LABEL_MAX, `is limited to ${OWN_KEY_LABEL_MAX} characters`),
        // oxlint-disable-next-line no-control-regex
        v.regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters'),
      ),
      '',
    ),
    fallback: v.optional(v.boolean(), false),
    ...accountProof,
  }),
  data: ownKey,
})
export const deleteOwnKey = defineRoute({
  method: 'DELETE',
  path: '/api/user/own_keys/:id',
  access: 'account.own',
  summary: 'Remove one’s own key; it is not used from the next call on',
})
