import { types } from 'pg'

const INT8 = 20
const NUMERIC = 1700

/**
 * Parsers by PostgreSQL type id, for one pool or client at a time, never for the whole process: `bigint` is bigint in
 * code, and so is a whole `numeric`, which is what PostgreSQL makes of `sum(bigint)`.
 */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: BigInt,
  [NUMERIC]: (text) => (text.includes('.') ? Number(text) : BigInt(text)),
}

export const getTypeParser: typeof types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  format === 'binary' ? types.getTypeParser(id, 'binary') : (PARSERS[id] ?? types.getTypeParser(id, 'text'))
