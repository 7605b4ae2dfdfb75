import * as v from 'valibot'

/**
 * What a reader does who must go on with replies of other servers and of other versions. Servers never look at it: these schemas
 * stay strict for what we send ourselves. The reader is `read-reply.ts` of the console.
 */
export interface AbsenceRule {
  /** The value that an absent or unreadable one stands for. */
  readonly whenAbsent?: unknown
  /** Without it the object around it cannot be used at all: a row that nothing can be done to. */
  readonly essential?: true
  /** A plain list in the place of the object is the list of this name. */
  readonly listAs?: string
}

/**
 * A field that other servers need not send, because the specification does not name it or names a default, and the value that its
 * absence means. Without this, what is absent is not known: a number shows as a dash, a text as none, a flag as off, a list as empty.
 */
/* @__NO_SIDE_EFFECTS__ */
export function whenAbsent<const S extends v.GenericSchema>(schema: S, value: v.InferOutput<S>) {
  return v.pipe(schema, v.metadata({ whenAbsent: value } satisfies AbsenceRule))
}

/** A field that its object is nothing without: the id by which a row is changed. */
/* @__NO_SIDE_EFFECTS__ */
export function essential<const S extends v.GenericSchema>(schema: S) {
  return v.pipe(schema, v.metadata({ essential: true } satisfies AbsenceRule))
}

/** An object in whose place a plain list may come, which is then the list of this name. */
/* @__NO_SIDE_EFFECTS__ */
export function orList<const S extends v.GenericSchema>(schema: S, name: keyof v.InferOutput<S> & string) {
  return v.pipe(schema, v.metadata({ listAs: name } satisfies AbsenceRule))
}
