import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { rowId } from './row-id.ts'

/** What sign-in returns and the console stores; never more than this. */
export const signedInUser = v.object({
  id: rowId,
  username: v.string(),
  display_name: v.string(),
  role: v.number(),
  status: whenAbsent(v.number(), 1),
  /** True while root has the well-known initial password or none; the console redirects to /users/edit. */
  password_change_required: v.optional(v.boolean()),
})
export type SignedInUser = v.InferOutput<typeof signedInUser>
