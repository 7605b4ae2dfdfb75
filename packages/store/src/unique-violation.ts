/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY; https://sqlite.org/rescode.html */
const SQLITE_CODES: readonly unknown[] = [2067, 1555]
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_CODE = '23505'

/** True for the error that a row with this unique value already exists. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    ('errcode' in error && SQLITE_CODES.includes(error.errcode)) || ('code' in error && error.code === POSTGRES_CODE)
  )
}
