import type * as v from 'valibot'

/** An environment variable as data. */
export interface Variable<S extends v.GenericSchema<string, unknown> = v.GenericSchema<string, unknown>> {
  readonly name: string
  /** Turns the text into its value; its issues are shown to the operator as they are. */
  readonly schema: S
  /** Text used when the variable is absent; parsed by the same schema. */
  readonly fallback: string
  /** Why an operator would change it. */
  readonly reason: string
  readonly example: string
  /** Never printed. */
  readonly secret?: true
}

/** Keeps the literal types of the table while checking each row. */
export const variable = <S extends v.GenericSchema<string, unknown>>(row: Variable<S>): Variable<S> => row
