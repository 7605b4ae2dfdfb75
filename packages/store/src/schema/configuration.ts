export interface ConfigurationTables {
  configuration_owner: ConfigurationOwnerTable
  configuration_item: ConfigurationItemTable
}

/** A configuration file that was applied, by the label that it gives itself. */
export interface ConfigurationOwnerTable {
  owner: string
  /** 0 for a file without one. A file with a lower one is not applied. */
  revision: number
  /** Of the file's content, references in place of secrets. */
  digest: string
  applied_ms: number
}

/** One thing that a configuration file owns. */
export interface ConfigurationItemTable {
  /** `option` or `channel`. */
  kind: string
  /** Key of the option, or the channel's name in the file. */
  name: string
  owner: string
  /** 0 for an option. */
  channel_id: number
  /** 1 when the file says whether the channel is on; otherwise it is switched by hand. */
  states_status: number
  /** Of the thing as the file left it; another one means that something else has changed it since. */
  digest: string
}
