/** The fields of a channel that the programs of the family store in different places. */
export interface PlacedChannel {
  readonly type: number
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly config: Readonly<Record<string, unknown>>
  readonly systemPrompt: string
  readonly testingModel: string
  /** Status of each key that is switched off, by its position among the lines of `key`, from 0. */
  readonly keyStatuses: ReadonlyMap<number, number>
  /** The reason why the channel must be switched off; undefined if it can be used. */
  readonly off: string | undefined
}
