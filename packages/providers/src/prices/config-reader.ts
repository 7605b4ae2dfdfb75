import { isObject, type JsonObject } from '../channel-fields/json-object.ts'
import { type Decimal, decimalOfNumber } from './decimal.ts'

/** The highest accepted ratio: two million USD per million tokens. */
const RATIO_LIMIT = 1_000_000
const TOKENS_LIMIT = 2 ** 31 - 1
const TEXT_LIMIT = 100
const LIST_LIMIT = 64

/** Reads members of a JSON object and records the first error. Absent and null are undefined. `path` is '' at the top. */
export class ConfigReader {
  readonly #from: JsonObject
  readonly #path: string
  readonly #found: string[]

  constructor(from: JsonObject, path = '', found: string[] = []) {
    this.#from = from
    this.#path = path
    this.#found = found
  }

  get problem(): { readonly field: string; readonly rule: string } | undefined {
    const [field, rule] = this.#found
    return field === undefined || rule === undefined ? undefined : { field, rule }
  }

  ratio(name: string): Decimal | undefined {
    const value = this.#from[name]
    if (value === undefined) return undefined
    const read = typeof value === 'number' && value <= RATIO_LIMIT ? decimalOfNumber(value) : undefined
    return read ?? this.wrong(name, `must be a number from 0 to ${RATIO_LIMIT}`)
  }

  /** A price for which 0 means not set, as in the family. */
  price(name: string): Decimal | undefined {
    const value = this.ratio(name)
    return value?.digits === 0n ? undefined : value
  }

  /** The family's cached-token price: 0 means not set, a negative number free. */
  priceOrFree(name: string): Decimal | undefined {
    const value = this.#from[name]
    return typeof value === 'number' && value < 0 ? { digits: 0n, scale: 0 } : this.price(name)
  }

  wholeNumber(name: string): number | undefined {
    const value = this.#from[name]
    if (value === undefined) return undefined
    const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= TOKENS_LIMIT
    return isCount ? value : this.wrong(name, `must be a whole number from 0 to ${TOKENS_LIMIT}`)
  }

  /** A short text; blank is absent. */
  text(name: string): string | undefined {
    const value = this.#from[name]
    if (value === undefined || value === null) return undefined
    const isText = typeof value === 'string' && value.length <= TEXT_LIMIT
    return isText ? value.trim() || undefined : this.wrong(name, `must be text of at most ${TEXT_LIMIT} characters`)
  }

  /** Multiples by name; names are compared in lower case. */
  multiples(name: string): ReadonlyMap<string, Decimal> | undefined {
    const members = this.object(name)
    if (members === undefined) return undefined
    const keys = Object.keys(this.#from[name] as JsonObject).slice(0, LIST_LIMIT)
    return new Map(keys.flatMap((key) => named(key, members.ratio(key))))
  }

  object(name: string): ConfigReader | undefined {
    const value = this.#from[name]
    if (value === undefined || value === null) return undefined
    return isObject(value) ? this.#inside(value, name) : this.wrong(name, 'must be a JSON object')
  }

  names(): readonly string[] {
    return Object.keys(this.#from).slice(0, LIST_LIMIT)
  }

  objects(name: string): readonly ConfigReader[] | undefined {
    const value = this.#from[name]
    if (value === undefined || value === null) return undefined
    if (!Array.isArray(value) || value.length > LIST_LIMIT || !value.every(isObject)) {
      return this.wrong(name, `must be a list of at most ${LIST_LIMIT} JSON objects`)
    }
    return value.map((each, at) => this.#inside(each, `${name}[${at}]`))
  }

  value<Value>(name: string, isRight: (value: unknown) => value is Value, rule: string): Value | undefined {
    const value = this.#from[name]
    if (value === undefined || value === null) return undefined
    return isRight(value) ? value : this.wrong(name, rule)
  }

  wrong(name: string, rule: string): undefined {
    this.#found.push(this.#path === '' ? name : `${this.#path}.${name}`, rule)
    return undefined
  }

  #inside(from: JsonObject, name: string): ConfigReader {
    return new ConfigReader(from, this.#path === '' ? name : `${this.#path}.${name}`, this.#found)
  }
}

const named = (key: string, value: Decimal | undefined): [string, Decimal][] =>
  value === undefined ? [] : [[key.trim().toLowerCase(), value]]
