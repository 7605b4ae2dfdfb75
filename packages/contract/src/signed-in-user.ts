import * as v from 'valibot'
import { rowId } from './scalars.ts'

/** What sign-in returns and the console keeps: never more than this. */
export const signedInUser = v.object({
  id: rowId,
  username: v.string(),
  display_name: v.string(),
  role: v.number(),
  status: v.number(),
  /** True while root still has the well-known first password; the console leads to /users/edit. */
  password_change_required: v.optional(v.boolean()),
})
export type SignedInUser = v.InferOutput<typeof signedInUser>
