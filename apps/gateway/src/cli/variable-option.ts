import { InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import type { Variable } from '../config-variable.ts'

/** An option that stands for an environment variable and beats it: the variable gets its value in this process. */
export function variableOption(flags: string, description: string, { name, schema }: Variable): Option {
  return new Option(flags, `${description} (${name})`).argParser((text: string) => {
    const parsed = v.safeParse(schema, text)
    if (!parsed.success) throw new InvalidArgumentError(`It ${parsed.issues[0].message}.`)
    process.env[name] = text
    return text
  })
}
