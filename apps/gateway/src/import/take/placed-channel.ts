/** The fields of a channel that the programs of the family keep in different places. */
export interface PlacedChannel {
  /** Type here. */
  readonly type: number
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly config: Readonly<Record<string, unknown>>
  readonly systemPrompt: string
  readonly testingModel: string
  /** Keys that are switched off: place among the lines of `key`, from 0, to a status. */
  readonly keyStatuses: ReadonlyMap<number, number>
  /** Why it has to be switched off; undefined when nothing stands against it. */
  readonly off: string | undefined
}
