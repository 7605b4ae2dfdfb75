import type { Refusal } from '@sluice/contract/errors'
import { username, USERNAME_SHORT } from '@sluice/contract/user'
import * as v from 'valibot'
import { invalidField } from '../issue-text.ts'

/** Why a user may not be renamed to `next`. Forms send back the stored name, which can be shorter than a new one may be. */
export function newNameProblem(next: string | undefined, stored: string): Refusal | undefined {
  const isNew = next !== undefined && next !== '' && next !== stored
  return isNew && !v.is(username, next) ? invalidField('username', USERNAME_SHORT) : undefined
}
