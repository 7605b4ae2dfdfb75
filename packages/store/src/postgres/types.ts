import { types } from 'pg'

const INT8: number = types.builtins.INT8
const NUMERIC: number = types.builtins.NUMERIC

/**
 * Parsers by PostgreSQL type id, for one pool or client at a time, never for the whole process: `bigint` is bigint in
 * code, and so is a whole `numeric`, which is what PostgreSQL makes of `sum(bigint)`.
 */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: BigInt,
  [NUMERIC]: (text) => (text.includes('.') ? Number(text) : BigInt(text)),
}

/** `types.getTypeParser` of a client: our parsers, otherwise those of `pg`. */
export const getTypeParser: typeof types.getTypeParser = (
  id: Parameters<typeof types.getTypeParser>[0],
  format?: 'text' | 'binary',
) => (format === 'binary' ? types.getTypeParser(id, 'binary') : (PARSERS[id] ?? types.getTypeParser(id, 'text')))
